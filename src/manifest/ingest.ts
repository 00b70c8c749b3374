import { Refused } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { IngestCounts } from './judge-and-store.ts'
import * as manifestFiles from './sql/files.ts'

/** Ingests the lines that agents have appended since the last call. */
export const ingest = async (context: Context, worktrees: readonly string[] = []): Promise<IngestCounts> => {
  const ingested: IngestCounts = { entries: 0, quarantined: 0, warnings: [] }
  for (const work of new Set([context.root, ...worktrees]))
    await ingestFile(context, workFoldersIn(context, work), ingested)
  return ingested
}

/**
 * Like `ingest`, for commands that also work without new entries. A refusal becomes a warning, for example if the store
 * cannot be written.
 */
export const tryIngest = async (context: Context, worktrees: readonly string[] = []): Promise<string[]> => {
  try {
    return (await ingest(context, worktrees)).warnings
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [`new lines of the manifest were not ingested: ${error.message}`]
  }
}

/**
 * Usually the file has not changed, so its stamp (size and time) is compared with the stored stamp first. If the stamps
 * are equal, the code that reads the file is not loaded.
 */
const ingestFile = async (context: Context, folders: WorkFolders, ingested: IngestCounts): Promise<void> => {
  const stamp = context.host.files.stamp(folders.manifest)
  if (stamp === '') return
  const row = await manifestFiles.find(context.store, folders.manifestKey)
  if (row?.seen === stamp) return
  if (context.dryRun) {
    ingested.warnings.push(`${folders.manifestKey} has lines that are not ingested yet`)
    return
  }
  const { readNewLines } = await import('./read-new-lines.ts')
  await readNewLines(context, folders, ingested)
}
