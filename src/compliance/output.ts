import { optionsOf } from '../claims/sql/spawns.ts'
import type { Standing } from '../evidence/standing.ts'
import { isBelow } from '../kernel/path.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { OutputFile } from './rules/observed.ts'
import { ownFolder, type Sight } from './sight.ts'

const mostBytes = 4 << 20

/** The output file of the last entry, as it is now. */
export const outputOf = async (sight: Sight): Promise<OutputFile | undefined> => {
  const { context, spawn, standing } = sight
  const { host, root } = context
  const file = standing.file?.state === 'missing' ? ((await merged(sight)) ?? standing.file) : standing.file
  if (!file) return undefined
  const { path, state, why } = file
  const own = ownFolder(sight)
  const work = own !== undefined && isBelow(own, path) ? own : root
  const { outputRoots: roots } = workFoldersIn(context, work, optionsOf(spawn))
  const read =
    state === 'missing' || !isBelow(work, path)
      ? undefined
      : await host.files.readInside(work, path.slice(work.length + 1), mostBytes)
  return {
    path: isBelow(root, path) ? path.slice(root.length + 1) : path,
    state,
    ...(why && { why }),
    inPlace: roots.some((folder) => isBelow(folder, path)),
    ...(read?.ok && { text: read.text }),
  }
}

/** The file as it came into the project, where the work folder was merged and taken away. */
const merged = async (sight: Sight): Promise<Standing['file']> => {
  const { context, spawn, entries } = sight
  const entry = entries.at(-1)
  const said = entry?.body['file']
  if (!entry || typeof said !== 'string' || ownFolder(sight) !== undefined) return undefined
  const found = await inspectOutput(context, workFoldersIn(context, context.root, optionsOf(spawn)), said)
  if (found.sha256 === undefined || (found.unfilled && entry.status !== 'blocked')) return undefined
  return { path: found.path, state: found.sha256 === entry.sha256 ? 'there' : 'changed' }
}
