import type { Files } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { slugOf } from '../kernel/slug.ts'
import type { Project } from '../operation/context.ts'
import { mostUnfilled, whyUnfilled } from './unfilled.ts'
import type { WorkFolders } from './work-folders.ts'

/** An output file as an entry names it. */
export interface OutputFile {
  /** From the folder of the file of entries: what the entry says. */
  file: string
  path: string
  /** Undefined where there is no file. */
  sha256?: string
  /** What is wrong with it, said of the file; it may just be missing. */
  why?: string
  missing?: boolean
  /** What nobody has filled in, said of the file. */
  unfilled?: string
}

/**
 * The file behind what an entry or a person says. It counts from the folder of the file of entries; what is not there
 * may have been meant from the work folder.
 */
export const inspectOutput = async (
  { host }: Project,
  folders: WorkFolders,
  said: string,
): Promise<OutputFile> => {
  const folder = folderOf(folders.manifest)
  const meant = [resolvePath(folder, said), resolvePath(folders.work, said)]
  const inside = meant.filter((path) => folders.outputRoots.some((root) => isBelow(root, path)))
  const path = inside.find((each) => host.files.sizeSeen(each) > 0) ?? inside[0]
  if (path === undefined || path === folders.manifest) {
    const shown = folders.outputRoots.map((root) => relative(folders.work, root))
    return { file: said, path: meant[0]!, why: `does not lie in ${[...new Set(shown)].join(', ')}` }
  }
  const file = relative(folder, path)
  // A good part of what is found in a file has none: opening it to find that out takes far longer.
  if (host.files.kind(path) === undefined) return { file, path, why: 'is not there', missing: true }
  const { hashInside } = await import('../host/safe-read.ts')
  const hashed = hashInside(folders.work, relative(folders.work, path), mostUnfilled)
  if (hashed.ok) return { file, path, sha256: hashed.sha256, ...unfilledOf(hashed) }
  return { file, path, why: hashed.why, ...(hashed.missing && { missing: true }) }
}

const unfilledOf = ({ bytes, first }: { bytes: number; first: Uint8Array }): Pick<OutputFile, 'unfilled'> => {
  const unfilled = bytes > first.length ? undefined : whyUnfilled(new TextDecoder().decode(first))
  return unfilled ? { unfilled } : {}
}

/** The name `cleo output new` gives the file of a task. */
export const outputName = ({ id, title }: { id: string; title: string }): string =>
  `${id}-${slugOf(title)}.md`

/** The output files of a task in a work folder, the usual one first. */
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

/** Whether no part of a path that is there already is a link. */
export const isFreeOfLinks = (files: Files, path: string): boolean => {
  for (let end = path; end !== ''; end = folderOf(end))
    if (files.kind(end) !== undefined) return files.realPath(end) === end
  return true
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** A path as seen from a folder; both absolute. */
export const relative = (from: string, to: string): string => {
  const [here, there] = [from.split('/'), to.split('/')]
  let same = 0
  while (same < here.length && here[same] === there[same]) same++
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/')
}

/** What an entry says of a file. */
export const relativeToManifest = ({ manifest }: WorkFolders, path: string): string =>
  relative(folderOf(manifest), path)
