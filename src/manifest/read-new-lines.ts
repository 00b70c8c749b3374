import { fingerprintBytes, readPiece } from '../host/line-file.ts'
import { sha256 } from '../host/sha256.ts'
import { Refused } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import { type IngestCounts, judgeAndStore } from './judge-and-store.ts'
import { concat, manifestLines } from './manifest-lines.ts'
import type { ManifestFileRow } from './sql/files.ts'
import * as manifestFiles from './sql/files.ts'

/** Reads a manifest from the saved offset, or from the start if the file was replaced. */
export const readNewLines = async (
  context: Context,
  folders: WorkFolders,
  ingested: IngestCounts,
): Promise<void> => {
  try {
    for (;;) {
      const row = await manifestFiles.find(context.store, folders.manifestKey)
      if (await readFrom(context, folders, row, ingested)) return
    }
  } catch (error) {
    // Only warn, because an unreadable manifest must not stop the operation that follows.
    if (!(error instanceof Refused) || error.failure.code !== 'file.unreadable') throw error
    ingested.warnings.push(error.message)
  }
}

/** Returns false if another process has moved the offset since `row` was read. */
const readFrom = async (
  context: Context,
  folders: WorkFolders,
  row: ManifestFileRow | undefined,
  ingested: IngestCounts,
): Promise<boolean> => {
  const known = row && bytesBeforeOffset(folders, row)
  let past = known ?? new Uint8Array()
  let before = row
  for (const portion of manifestLines(folders.manifest, known ? row.consumed : 0)) {
    past = concat(past, portion.bytes).slice(-fingerprintBytes)
    const seen = portion.isLast ? portion.stamp : ''
    const next = { path: folders.manifestKey, consumed: portion.end, mark: sha256(past), seen }
    if (!(await judgeAndStore(context, folders, { lines: portion.lines, before, next }, ingested)))
      return false
    before = next
  }
  return true
}

/**
 * Returns the last bytes before the saved offset. If these bytes have changed, the file was replaced, and the result
 * is undefined.
 */
const bytesBeforeOffset = (
  { manifest }: WorkFolders,
  { consumed, mark }: ManifestFileRow,
): Uint8Array | undefined => {
  const start = Math.max(0, consumed - fingerprintBytes)
  const { bytes } = readPiece(manifest, start, consumed - start)
  return bytes.length === consumed - start && sha256(bytes) === mark ? bytes : undefined
}
