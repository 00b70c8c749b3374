import type { SpawnOptions } from '../claims/sql/spawns.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Project } from '../operation/context.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { Standing } from './standing-shape.ts'

/** The file an entry speaks of, as it is now: where the entry came from, else where its spawn was sent to work. */
export const fileOf = async (
  project: Project,
  { place, sha256, status }: EntryRow,
  body: Record<string, unknown>,
  asked: SpawnOptions | undefined,
): Promise<Standing['file']> => {
  if (typeof body['file'] !== 'string') return undefined
  const folders = new Set([place || project.root, asked?.worktree ?? project.root])
  let missing: Standing['file']
  for (const folder of folders) {
    const found = await inspectOutput(project, workFoldersIn(project, folder, asked), body['file'])
    if (found.sha256 === undefined) missing ??= { path: found.path, state: 'missing' }
    else if (found.unfilled && status !== 'blocked')
      missing = { path: found.path, state: 'missing', why: `is not filled in: ${found.unfilled}` }
    else return { path: found.path, state: sha256 === null || found.sha256 === sha256 ? 'there' : 'changed' }
  }
  return missing
}
