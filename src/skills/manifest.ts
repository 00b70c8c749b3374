import { type FileStat, statAt } from '../host/stat.ts'
import { Refused } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import type { Skill } from './catalogue.ts'

export const manifestPath = 'skills/manifest.json'

export const manifestSeen = ({ root }: Project): FileStat | undefined => statAt(`${root}/${manifestPath}`)

const start = '{\n  "made_by": "cleo skills index"'

/** Those that the index lists: the project's own, one of each name. */
export const indexed = (skills: readonly Skill[]): Skill[] => {
  const own = skills.filter(({ origin }) => origin === 'project')
  const first = new Map(own.toReversed().map((skill) => [skill.name, skill]))
  return [...first.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** For whoever reads the repository: the same on every machine. */
export const manifestText = (skills: readonly Skill[]): string => {
  const entries = indexed(skills).map(
    ({ origin: _, folder: __, trust: ___, shadows: ____, ...entry }) => entry,
  )
  return `${start},\n  "skills": ${JSON.stringify(entries, null, 2).replaceAll('\n', '\n  ')}\n}\n`
}

export const isOurs = (text: string): boolean => text.startsWith(start)

/** One that somebody else wrote for the same purpose: it may be replaced when that is asked for. */
export const isIndex = (text: string): boolean => {
  try {
    return Array.isArray((JSON.parse(text) as { skills?: unknown } | null)?.skills)
  } catch {
    return false
  }
}

/** A folder of skills that is a link is not written into: nobody knows whose it is. */
export const mayWrite = ({ host, root }: Project): boolean =>
  host.files.realPath(`${root}/skills`) === `${root}/skills`

/** Keeps an index that was made once in step with the skills. */
export const keepManifest = (project: Project, skills: readonly Skill[]): void => {
  const { files } = project.host
  const path = `${project.root}/${manifestPath}`
  if (project.dryRun || manifestSeen(project)?.kind !== 'file' || !mayWrite(project)) return
  try {
    const there = files.read(path) ?? ''
    const text = manifestText(skills)
    if (isOurs(there) && there !== text) files.replace(path, text, 0o644)
  } catch (error) {
    // It can be made again at any time; whoever only wanted to know a skill is not stopped by it.
    if (!(error instanceof Refused)) throw error
  }
}
