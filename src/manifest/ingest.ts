import { Refused } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { IngestCounts } from './judge-and-store.ts'
import * as manifestFiles from './sql/files.ts'

/**
 * Ingests the lines that agents have appended since the last time, to the project's own manifest and to the manifests
 * of the given worktrees.
 */
export const ingest = async (context: Context, worktrees: readonly string[] = []): Promise<IngestCounts> => {
  const ingested: IngestCounts = { entries: 0, quarantined: 0, warnings: [] }
  for (const work of new Set([context.root, ...worktrees]))
    await ingestFile(context, workFoldersIn(context, work), ingested)
  return ingested
}

/**
 * Ingests, for commands that also work without new entries. If a manifest may not be read or the store cannot be
 * written, only a warning is added. Returns the warnings.
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
 * Ingests one manifest. Compares the file's stamp with the stored one first, because the file has usually not changed.
 * Loads the code that reads the file only if it has changed.
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
