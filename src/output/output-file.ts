import type { Files } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { slugOf } from '../kernel/slug.ts'
import type { Project } from '../operation/context.ts'
import { maxUnfilled, whyUnfilled } from './unfilled.ts'
import type { WorkFolders } from './work-folders.ts'

/** An output file as an entry names it. */
export interface OutputFile {
  /** The path relative to the manifest's folder, as in the entry. */
  file: string
  path: string
  /** Undefined if the file cannot be used. */
  sha256?: string
  /** Why the file cannot be used, as a phrase that begins with "is". */
  why?: string
  /** True if the file does not exist and nothing else is wrong. */
  missing?: boolean
  /** True if the path is in no folder for output files. */
  outside?: boolean
  /** Why the file counts as not filled in. */
  unfilled?: string
}

/**
 * Finds and hashes the output file that an entry or a person names. A relative path starts at the manifest's folder.
 * If there is no such file, the path starts at the work folder.
 */
export const inspectOutput = async (
  { host }: Project,
  folders: WorkFolders,
  name: string,
): Promise<OutputFile> => {
  const folder = folderOf(folders.manifest)
  const candidates = [resolvePath(folder, name), resolvePath(folders.work, name)]
  const inside = candidates.filter((path) => folders.outputRoots.some((root) => isBelow(root, path)))
  const there = candidates.find((each) => host.files.sizeSeen(each) > 0)
  const path = inside.find((each) => host.files.sizeSeen(each) > 0) ?? (there ? undefined : inside[0])
  if (path === undefined || path === folders.manifest) {
    const shown = folders.outputRoots.map((root) => relative(folders.work, root))
    const why = `is not in ${[...new Set(shown)].join(', ')}, nor in a folder that output.roots names`
    return { file: name, path: there ?? candidates[0]!, why, outside: true }
  }
  const file = relative(folder, path)
  // Check first whether the file exists. Many entries name a missing file, and a stat is far cheaper than a failed
  // open.
  if (host.files.kind(path) === undefined) return { file, path, why: 'does not exist', missing: true }
  const { hashInside } = await import('../host/safe-read.ts')
  const hashed = hashInside(folders.work, relative(folders.work, path), maxUnfilled)
  if (hashed.ok) return { file, path, sha256: hashed.sha256, ...unfilledOf(hashed) }
  return { file, path, why: hashed.why, ...(hashed.missing && { missing: true }) }
}

const unfilledOf = ({ bytes, first }: { bytes: number; first: Uint8Array }): Pick<OutputFile, 'unfilled'> => {
  const unfilled = bytes > first.length ? undefined : whyUnfilled(new TextDecoder().decode(first))
  return unfilled ? { unfilled } : {}
}

/** Returns the file name that `cleo output new` uses for a task. */
export const outputName = ({ id, title }: { id: string; title: string }): string =>
  `${id}-${slugOf(title)}.md`

/**
 * Returns the task's output file with the name that `outputName` gives. If it does not exist, returns every file
 * whose name begins with the task's id.
 */
export const outputsOf = async (
  { host }: Project,
  folders: WorkFolders,
  task: { id: string; title: string },
): Promise<string[]> => {
  const usual = `${folders.output}/${outputName(task)}`
  if (host.files.sizeSeen(usual) > 0) return [usual]
  const below = relative(folders.work, folders.output)
  const found: string[] = []
  for (const pattern of [`${below}/${task.id}-*`, `${below}/*/${task.id}-*`]) {
    const hits = await host.files.findInside(folders.work, pattern, 20_000)
    if (hits.ok) found.push(...hits.paths.map((path) => `${folders.work}/${path}`))
  }
  return found
}

/** True if no existing part of a path is a symbolic link. */
export const isFreeOfLinks = (files: Files, path: string): boolean => {
  for (let end = path; end !== ''; end = folderOf(end))
    if (files.kind(end) !== undefined) return files.realPath(end) === end
  return true
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Both paths must be absolute. */
export const relative = (from: string, to: string): string => {
  const [here, there] = [from.split('/'), to.split('/')]
  let same = 0
  while (same < here.length && here[same] === there[same]) same++
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/')
}

export const relativeToManifest = ({ manifest }: WorkFolders, path: string): string =>
  relative(folderOf(manifest), path)
