import type { ProjectFolder } from './project-folder.ts'

type Listed = Pick<ProjectFolder, 'list' | 'isFile'>

/** At most this many folders are listed for one pattern, so that a build file cannot make CLEO read a whole disk. */
const mostFolders = 5000
const deepest = 4
/** A pattern with this many stars or more matches nothing, because matching would take too long. */
const mostStars = 8

/** Returns the files that match a pattern such as `mk/*.mk`, in order. */
export const matchingFiles = (project: Listed, pattern: string): string[] => expand(project, pattern)

/**
 * Returns the folders that match the patterns of a workspace and contain one of the named files. A pattern that starts
 * with `!` excludes folders. `**` stands for up to four folders.
 */
export const foldersWith = (
  project: Listed,
  patterns: readonly string[],
  names: readonly string[],
): string[] => {
  const excluded = patterns.flatMap((each) => (each.startsWith('!') ? [toMatcher(each.slice(1))] : []))
  const found = new Set<string>()
  for (const pattern of patterns.filter((each) => !each.startsWith('!')))
    for (const name of names)
      for (const path of expand(project, `${withoutEnds(pattern)}/${name}`)) {
        const folder = path.slice(0, -name.length - 1)
        if (folder !== '' && !excluded.some((matches) => matches(folder))) found.add(folder)
      }
  return [...found].sort()
}

const withoutEnds = (pattern: string): string =>
  pattern.replace(/^\.\//, '').replace(/\/(?:package\.json)?$/, '')

const expand = (project: Listed, pattern: string): string[] => {
  if (pattern.split('*').length > mostStars) return []
  let reached = new Set([''])
  let left = mostFolders
  const listing = (at: string): readonly string[] => (left-- > 0 ? project.list(at || '.') : [])
  for (const part of pattern.split('/').filter((each) => each !== '' && each !== '.')) {
    const next = new Set<string>()
    for (const at of reached) {
      if (part === '**') for (const below of withBelow(at, listing)) next.add(below)
      else if (part.includes('*')) {
        const matches = toMatcher(part)
        for (const name of listing(at)) if (!isSkipped(name) && matches(name)) next.add(join(at, name))
      } else next.add(join(at, part))
    }
    reached = next
  }
  return [...reached].filter((path) => project.isFile(path)).sort()
}

const withBelow = (at: string, listing: (at: string) => readonly string[]): string[] => {
  const found = [at]
  let level = [at]
  for (let depth = 0; depth < deepest; depth++) {
    level = level.flatMap((each) =>
      listing(each).flatMap((name) => (isSkipped(name) || name.includes('.') ? [] : [join(each, name)])),
    )
    found.push(...level)
  }
  return found
}

const isSkipped = (name: string): boolean => name === 'node_modules' || name.startsWith('.')

const join = (at: string, name: string): string => (at === '' ? name : `${at}/${name}`)

/** `*` matches no slash, but `**` does. */
const toMatcher = (pattern: string): ((text: string) => boolean) => {
  if (pattern.split('*').length > mostStars) return () => false
  const source = withoutEnds(pattern)
    .split('**')
    .map((piece) => piece.split('*').map(escaped).join('[^/]*'))
    .join('.*')
  const expression = new RegExp(`^${source}$`)
  return (text) => expression.test(text)
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
