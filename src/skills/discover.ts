import { type FileStat, foldersIn, statAt } from '../host/stat.ts'
import { userFolder } from '../host/user-folders.ts'
import type { FileFinding } from '../kernel/file-finding.ts'
import type { Project } from '../operation/context.ts'
import { confined } from '../project/confined-path.ts'

export interface DiscoveredSkill {
  /** The name of the folder. */
  name: string
  /** The path shown to people: relative to the project, or starting with `~`. */
  path: string
  /** The absolute path, with symbolic links resolved. */
  folder: string
  origin: 'project' | 'user'
  /** The stat data of the skill's SKILL.md. */
  main: FileStat
}

interface SkillDiscovery {
  found: DiscoveredSkill[]
  problems: FileFinding[]
}

interface SkillsFolder {
  path: string
  folder: string
  origin: DiscoveredSkill['origin']
  /** The folder that symbolic links must not lead out of. */
  within: string
}

// At most this many folders are searched for skills. The limit is high, because published collections have more than a
// thousand skills in one folder.
const mostNames = 5000

/** Highest precedence first. Reads no file. */
export const discoverSkills = (project: Project): SkillDiscovery => {
  const discovered: SkillDiscovery = { found: [], problems: [] }
  const known = new Set<string>()
  for (const searched of searchedFolders(project)) {
    if (project.host.files.sizeSeen(searched.folder) === 0) continue
    for (const each of skillsIn(project, searched, discovered.problems)) {
      // Two links to the same folder count as one skill.
      if (!known.has(each.folder)) discovered.found.push(each)
      known.add(each.folder)
    }
  }
  return discovered
}

const searchedFolders = ({ host, root, config }: Project): SkillsFolder[] => {
  const further = config.skills?.paths ?? []
  for (const path of further) confined('skills.paths', root, path)
  const own = ['skills', '.claude/skills', '.agents/skills', ...further]
  const { home } = host
  const settings = userFolder(host)
  const user = (folder: string): SkillsFolder => ({
    path: folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder,
    folder,
    origin: 'user',
    within: folder.startsWith(`${home}/`) ? home : settings,
  })
  return [
    ...[...new Set(own.map((path) => path.replace(/\/+$/, '')))].map(
      (path): SkillsFolder => ({ path, folder: `${root}/${path}`, origin: 'project', within: root }),
    ),
    user(`${settings}/skills`),
    user(`${home}/.claude/skills`),
    user(`${home}/.agents/skills`),
  ]
}

const skillsIn = (project: Project, searched: SkillsFolder, problems: FileFinding[]): DiscoveredSkill[] => {
  const report = (file: string, message: string) => void problems.push({ level: 'error', file, message })
  const open = openFolder(project, searched, problems)
  if (!open) return []
  const names = foldersIn(open.folder)
  if (!names) report(searched.path, 'is not readable')
  if (names && names.length > mostNames)
    report(searched.path, `has more than ${mostNames} folders; only the first ${mostNames} are read`)
  return (names ?? []).slice(0, mostNames).flatMap(({ name, isLink }) => open.skill(name, isLink) ?? [])
}

interface OpenFolder {
  folder: string
  /** Returns the skill in the folder with this name, if the folder has a SKILL.md. */
  skill(name: string, isLink: boolean): DiscoveredSkill | undefined
}

/** Reports links that lead out of the project or the user's folder. */
const openFolder = (
  { host: { files } }: Project,
  searched: SkillsFolder,
  problems: FileFinding[],
): OpenFolder | undefined => {
  const report = (level: FileFinding['level'], file: string, message: string) =>
    void problems.push({ level, file, message })
  const within = files.realPath(searched.within)
  const inside = (path: string): string | undefined => {
    const real = files.realPath(path)
    return real.startsWith(`${within}/`) ? real : undefined
  }
  const outside = `points outside ${searched.origin === 'project' ? 'the project' : 'your home folder'} and is not followed`
  const folder = inside(searched.folder)
  if (!folder) {
    report('error', searched.path, outside)
    return undefined
  }
  return {
    folder,
    skill(name, isLink) {
      const path = `${searched.path}/${name}`
      const real = isLink ? inside(`${folder}/${name}`) : `${folder}/${name}`
      if (!real) report('error', path, outside)
      else if (!isLink || files.kind(real) === 'folder') {
        const main = statAt(`${real}/SKILL.md`)
        if (main) return { name, path, folder: real, origin: searched.origin, main }
        // Do not warn about folders such as `_shared`, which hold files for several skills.
        if (!name.startsWith('_')) report('warning', path, 'has no SKILL.md')
      }
      return undefined
    },
  }
}

/** The skills are in order of precedence, highest first. Only folders with this name are read. */
export const skillsNamed = (project: Project, name: string): DiscoveredSkill[] => {
  if (name.includes('/') || name.includes('\0') || name.startsWith('.')) return []
  const found = searchedFolders(project).flatMap((searched): DiscoveredSkill[] => {
    const kind = statAt(`${searched.folder}/${name}`)?.kind
    if (kind !== 'folder' && kind !== 'link') return []
    const skill = openFolder(project, searched, [])?.skill(name, kind === 'link')
    return skill ? [skill] : []
  })
  return found.filter(({ folder }, i) => found.findIndex((each) => each.folder === folder) === i)
}
