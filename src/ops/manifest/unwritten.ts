import { appendLine } from '../../host/line-file.ts'
import { sha256 } from '../../host/sha256.ts'
import { ok, type Result } from '../../model/result.ts'
import type { EntryRow } from '../../store/entries.ts'
import * as entries from '../../store/entries.ts'
import type { Context } from '../context.ts'
import { allEntries } from './all-entries.ts'
import { piecesIn } from './pieces-in.ts'
import type { Places } from './places.ts'

/** The entries whose line stands in none of some files. */
export const unwritten = async ({ store, host }: Context, files: readonly Places[]): Promise<EntryRow[]> => {
  const lines = new Set<string>()
  const ids = new Set<string>()
  for (const { manifest } of files) if (host.files.stamp(manifest) !== '') readInto(manifest, lines, ids)
  const lacking: EntryRow[] = []
  for await (const row of allEntries(store))
    if (!lines.has(row.line_sha256) && !ids.has(row.id)) lacking.push(row)
  return lacking
}

const readInto = (path: string, lines: Set<string>, ids: Set<string>): void => {
  for (const { pieces, bytes } of piecesIn(path, 0)) {
    for (const piece of pieces) {
      if (!('value' in piece)) continue
      lines.add(sha256(bytes.subarray(piece.start, piece.end)))
      if (typeof piece.value['id'] === 'string') ids.add(piece.value['id'])
    }
  }
}

/** Writes lines again for entries that have none, at the end of a file: nothing that stands in it is touched. */
export const writeLines = (
  context: Context,
  { manifest }: Places,
  rows: readonly EntryRow[],
): Promise<Result<number, never>> =>
  context.write(async (tx) => {
    for (const { id, body } of rows) {
      await entries.setLine(tx.db, id, sha256(body))
      if (!context.dryRun) appendLine(manifest, body)
    }
    await tx.record({ after: { written: rows.length } })
    return ok(rows.length)
  })
