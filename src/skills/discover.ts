import { userFolder } from '../host/find-project.ts'
import { type FileStat, foldersIn, statAt } from '../host/stat.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Project } from '../operation/context.ts'

/** A folder that says it is a skill. */
export interface Found {
  /** The name of the folder. */
  name: string
  /** As people write it: below the project, or from `~`. */
  path: string
  /** Absolute and free of links. */
  folder: string
  origin: 'project' | 'user'
  /** Its SKILL.md. */
  main: FileStat
}

export interface Discovered {
  found: Found[]
  problems: Finding[]
}

interface Place {
  path: string
  folder: string
  origin: Found['origin']
  /** No link may lead out of this. */
  within: string
}

const mostNames = 1000

/** The folders of skills that a project and its user have, in the order in which they win. Nothing of them is read. */
export const discover = (project: Project): Discovered => {
  const discovered: Discovered = { found: [], problems: [] }
  const known = new Set<string>()
  for (const place of places(project)) {
    if (project.host.files.sizeSeen(place.folder) === 0) continue
    for (const each of skillsIn(project, place, discovered.problems)) {
      // A link to a skill that was found already is the same skill.
      if (!known.has(each.folder)) discovered.found.push(each)
      known.add(each.folder)
    }
  }
  return discovered
}

const places = ({ host, root, config }: Project): Place[] => {
  const own = ['skills', '.claude/skills', '.agents/skills', ...(config.skills?.paths ?? [])]
  const { home } = host
  const settings = userFolder(host)
  const user = (folder: string): Place => ({
    path: folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder,
    folder,
    origin: 'user',
    within: folder.startsWith(`${home}/`) ? home : settings,
  })
  return [
    ...[...new Set(own.map((path) => path.replace(/\/+$/, '')))].map(
      (path): Place => ({ path, folder: `${root}/${path}`, origin: 'project', within: root }),
    ),
    user(`${settings}/skills`),
    user(`${home}/.claude/skills`),
    user(`${home}/.agents/skills`),
  ]
}

const skillsIn = ({ host: { files } }: Project, place: Place, problems: Finding[]): Found[] => {
  const report = (file: string, message: string) => void problems.push({ level: 'error', file, message })
  const within = files.realPath(place.within)
  const inside = (path: string): string | undefined => {
    const real = files.realPath(path)
    return real.startsWith(`${within}/`) ? real : undefined
  }
  const outside = `leads out of ${place.origin === 'project' ? 'the project' : 'your folder'} and is not followed`
  const folder = inside(place.folder)
  if (!folder) {
    report(place.path, outside)
    return []
  }
  const names = foldersIn(folder)
  if (!names) report(place.path, 'may not be looked into')
  if (names && names.length > mostNames)
    report(place.path, `has more than ${mostNames} folders; the rest is left out`)
  return (names ?? []).slice(0, mostNames).flatMap(({ name, isLink }): Found[] => {
    const path = `${place.path}/${name}`
    const real = isLink ? inside(`${folder}/${name}`) : `${folder}/${name}`
    if (!real) report(path, outside)
    else if (!isLink || files.kind(real) === 'folder') {
      const main = statAt(`${real}/SKILL.md`)
      if (main) return [{ name, path, folder: real, origin: place.origin, main }]
      report(path, 'has no SKILL.md')
    }
    return []
  })
}
