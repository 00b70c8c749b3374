import type { SpawnOptions } from '../claims/sql/spawns.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Project } from '../operation/context.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'

/** `path` is absolute. A file that was never filled in counts as missing. */
export interface EntryFile {
  path: string
  state: 'there' | 'missing' | 'changed'
  why?: string
}

/**
 * Looks for the output file in two folders: first in the folder from which the entry was submitted, and afterwards in
 * the worktree of the entry's spawn.
 */
export const entryFileOf = async (
  project: Project,
  { place, sha256, status }: EntryRow,
  body: Record<string, unknown>,
  options: SpawnOptions | undefined,
): Promise<EntryFile | undefined> => {
  if (typeof body['file'] !== 'string') return undefined
  const folders = new Set([place || project.root, options?.worktree ?? project.root])
  let missing: EntryFile | undefined
  for (const folder of folders) {
    const found = await inspectOutput(project, workFoldersIn(project, folder, options), body['file'])
    if (found.sha256 === undefined) missing ??= { path: found.path, state: 'missing' }
    else if (found.unfilled && status !== 'blocked')
      missing = { path: found.path, state: 'missing', why: `is not filled in: ${found.unfilled}` }
    else return { path: found.path, state: sha256 === null || found.sha256 === sha256 ? 'there' : 'changed' }
  }
  return missing
}
