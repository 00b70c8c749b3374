import { optionsOf } from '../claims/sql/spawns.ts'
import { isBelow } from '../kernel/path.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { EntryFile } from '../standing/entry-file.ts'
import type { OutputFile } from './rules/rule-facts.ts'
import { ownWorktree, type SpawnedTask } from './spawned-task.ts'

const mostBytes = 4 << 20

export const outputOf = async (spawned: SpawnedTask): Promise<OutputFile | undefined> => {
  const { context, spawn, standing } = spawned
  const { host, root } = context
  const file =
    standing.file?.state === 'missing' ? ((await mergedFile(spawned)) ?? standing.file) : standing.file
  if (!file) return undefined
  const { path, state, why } = file
  const own = ownWorktree(spawned)
  const work = own !== undefined && isBelow(own, path) ? own : root
  const { outputRoots } = workFoldersIn(context, work, optionsOf(spawn))
  const read =
    state === 'missing' || !isBelow(work, path)
      ? undefined
      : await host.files.readInside(work, path.slice(work.length + 1), mostBytes)
  return {
    path: isBelow(root, path) ? path.slice(root.length + 1) : path,
    state,
    ...(why && { why }),
    inPlace: outputRoots.some((folder) => isBelow(folder, path)),
    ...(read?.ok && { text: read.text }),
  }
}

/** Finds the output file in the project, after the worktree was merged and removed. */
const mergedFile = async (spawned: SpawnedTask): Promise<EntryFile | undefined> => {
  const { context, spawn, entries } = spawned
  const entry = entries.at(-1)
  const named = entry?.body['file']
  if (!entry || typeof named !== 'string' || ownWorktree(spawned) !== undefined) return undefined
  const found = await inspectOutput(context, workFoldersIn(context, context.root, optionsOf(spawn)), named)
  if (found.sha256 === undefined || (found.unfilled && entry.status !== 'blocked')) return undefined
  return { path: found.path, state: found.sha256 === entry.sha256 ? 'there' : 'changed' }
}
