import { type FileStat, statAt } from '../host/stat.ts'
import { Refused } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import type { Skill } from './skill-entry.ts'

/** The index of the project's skills, written by `skills index` for other programs. CLEO itself does not need it. */
export const manifestPath = 'skills/manifest.json'

export const manifestStat = ({ root }: Project): FileStat | undefined => statAt(`${root}/${manifestPath}`)

const start = '{\n  "made_by": "cleo skills index"'

/** If several skills have the same name, returns only the first. */
export const manifestSkills = (skills: readonly Skill[]): Skill[] => {
  const own = skills.filter(({ origin }) => origin === 'project')
  const first = new Map(own.toReversed().map((skill) => [skill.name, skill]))
  return [...first.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Leaves out everything that differs between machines. */
export const manifestText = (skills: readonly Skill[]): string => {
  const entries = manifestSkills(skills).map(
    ({ origin: _, folder: __, trust: ___, shadows: ____, ...entry }) => entry,
  )
  return `${start},\n  "skills": ${JSON.stringify(entries, null, 2).replaceAll('\n', '\n  ')}\n}\n`
}

export const isMadeByCleo = (text: string): boolean => text.startsWith(start)

/** Whether a text is a list of skills. `skills index` may replace such a file, even if another program wrote it. */
export const isSkillIndex = (text: string): boolean => {
  try {
    return Array.isArray((JSON.parse(text) as { skills?: unknown } | null)?.skills)
  } catch {
    return false
  }
}

/** False if the folder `skills` is a link, because the linked folder can belong to another project. */
export const mayWrite = ({ host, root }: Project): boolean =>
  host.files.realPath(`${root}/skills`) === `${root}/skills`

/** Updates `skills/manifest.json` if `skills index` wrote it. */
export const updateManifest = (project: Project, skills: readonly Skill[]): void => {
  const { files } = project.host
  const path = `${project.root}/${manifestPath}`
  if (project.dryRun || manifestStat(project)?.kind !== 'file' || !mayWrite(project)) return
  try {
    const current = files.read(path) ?? ''
    const text = manifestText(skills)
    if (isMadeByCleo(current) && current !== text) files.replace(path, text, 0o644)
  } catch (error) {
    // Do not fail if the file cannot be written: perhaps the user's command only needs to read skills. A later
    // command updates the file.
    if (!(error instanceof Refused)) throw error
  }
}
