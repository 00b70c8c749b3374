import { marked, readPiece } from '../host/line-file.ts'
import { sha256 } from '../host/sha256.ts'
import { Refused } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import type { Ingested } from './ingest.ts'
import type { Piece } from './pieces.ts'
import { joined, piecesIn } from './pieces-in.ts'
import type { ManifestFileRow } from './sql/files.ts'
import * as manifestFiles from './sql/files.ts'
import { takeIn } from './take-in.ts'

/** Reads a file of entries from where it was left; from the start, where it is not the same file any more. */
export const readOn = async (context: Context, folders: WorkFolders, found: Ingested): Promise<void> => {
  try {
    for (;;) {
      const row = await manifestFiles.find(context.store, folders.manifestKey)
      if (await readFrom(context, folders, row, found)) return
    }
  } catch (error) {
    // What cannot be read is no reason to refuse what the caller wanted.
    if (!(error instanceof Refused) || error.failure.code !== 'file.unreadable') throw error
    found.warnings.push(error.message)
  }
}

/** Answers false where somebody else has read on meanwhile. */
const readFrom = async (
  context: Context,
  folders: WorkFolders,
  row: ManifestFileRow | undefined,
  found: Ingested,
): Promise<boolean> => {
  const same = row && pastOf(folders, row)
  let past = same ?? new Uint8Array()
  let before = row
  for (const { pieces, bytes, start, end, isLast, stamp } of piecesIn(
    folders.manifest,
    same ? row.consumed : 0,
  )) {
    past = joined(past, bytes.subarray(0, end - start)).slice(-marked)
    const next = { path: folders.manifestKey, consumed: end, mark: sha256(past), seen: isLast ? stamp : '' }
    if (!(await takeIn(context, folders, { lines: linesOf(pieces, bytes, start), before, next }, found)))
      return false
    before = next
  }
  return true
}

/** The last bytes before the place that was reached; undefined where they are not the same any more. */
const pastOf = ({ manifest }: WorkFolders, { consumed, mark }: ManifestFileRow): Uint8Array | undefined => {
  const start = Math.max(0, consumed - marked)
  const { bytes } = readPiece(manifest, start, consumed - start)
  return bytes.length === consumed - start && sha256(bytes) === mark ? bytes : undefined
}

/** One object of a file, or something else in it. */
export interface Line {
  /** Where it begins in the file. */
  byte: number
  raw: Uint8Array
  sha256: string
  fields?: Record<string, unknown>
  reason?: string
}

const linesOf = (pieces: readonly Piece[], bytes: Uint8Array, at: number): Line[] =>
  pieces.map((piece) => {
    const raw = bytes.subarray(piece.start, piece.end)
    const said = 'value' in piece ? { fields: piece.value } : { reason: piece.reason }
    return { byte: at + piece.start, raw, sha256: sha256(raw), ...said }
  })
