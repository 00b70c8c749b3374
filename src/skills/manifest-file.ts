import { type FileStat, statAt } from '../host/stat.ts'
import { Refused } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import type { Skill } from './skill-entry.ts'

/** The index of the project's own skills, written by `skills index` for people and other programs. CLEO does not rely on it. */
export const manifestPath = 'skills/manifest.json'

export const manifestStat = ({ root }: Project): FileStat | undefined => statAt(`${root}/${manifestPath}`)

const start = '{\n  "made_by": "cleo skills index"'

/** The project's own skills, one of each name. */
export const manifestSkills = (skills: readonly Skill[]): Skill[] => {
  const own = skills.filter(({ origin }) => origin === 'project')
  const first = new Map(own.toReversed().map((skill) => [skill.name, skill]))
  return [...first.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The same text on every machine. */
export const manifestText = (skills: readonly Skill[]): string => {
  const entries = manifestSkills(skills).map(
    ({ origin: _, folder: __, trust: ___, shadows: ____, ...entry }) => entry,
  )
  return `${start},\n  "skills": ${JSON.stringify(entries, null, 2).replaceAll('\n', '\n  ')}\n}\n`
}

export const isMadeByCleo = (text: string): boolean => text.startsWith(start)

/** A manifest of skills that another program wrote: `skills index` may replace it. */
export const isSkillIndex = (text: string): boolean => {
  try {
    return Array.isArray((JSON.parse(text) as { skills?: unknown } | null)?.skills)
  } catch {
    return false
  }
}

/** Does not write into a linked folder, which may belong to another project. */
export const mayWrite = ({ host, root }: Project): boolean =>
  host.files.realPath(`${root}/skills`) === `${root}/skills`

/** Updates a manifest that `skills index` wrote. */
export const updateManifest = (project: Project, skills: readonly Skill[]): void => {
  const { files } = project.host
  const path = `${project.root}/${manifestPath}`
  if (project.dryRun || manifestStat(project)?.kind !== 'file' || !mayWrite(project)) return
  try {
    const current = files.read(path) ?? ''
    const text = manifestText(skills)
    if (isMadeByCleo(current) && current !== text) files.replace(path, text, 0o644)
  } catch (error) {
    // The manifest can be written later: do not fail a command that only reads skills.
    if (!(error instanceof Refused)) throw error
  }
}
