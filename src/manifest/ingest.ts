import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import * as manifestFiles from './sql/files.ts'

export interface Ingested {
  /** Entries that came in. */
  taken: number
  quarantined: number
  warnings: string[]
}

/** Takes in what agents have appended to the files of entries since the last time: the project's own, and those of some work folders. */
export const ingest = async (context: Context, worktrees: readonly string[] = []): Promise<Ingested> => {
  const found: Ingested = { taken: 0, quarantined: 0, warnings: [] }
  for (const work of new Set([context.root, ...worktrees]))
    await ingestFile(context, workFoldersIn(context, work), found)
  return found
}

/** Most of the time nothing has come: that costs a look at the file and at one row. */
const ingestFile = async (context: Context, folders: WorkFolders, found: Ingested): Promise<void> => {
  const stamp = context.host.files.stamp(folders.manifest)
  if (stamp === '') return
  const row = await manifestFiles.find(context.store, folders.manifestKey)
  if (row?.seen === stamp) return
  if (context.dryRun) {
    found.warnings.push(`${folders.manifestKey} has lines that are not read yet`)
    return
  }
  const { readOn } = await import('./read-on.ts')
  await readOn(context, folders, found)
}
