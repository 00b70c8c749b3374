import { appendLine } from '../../host/line-file.ts'
import { sha256 } from '../../host/sha256.ts'
import { ok, type Result } from '../../model/result.ts'
import type { EntryRow } from '../../store/entries.ts'
import * as entries from '../../store/entries.ts'
import type { Context } from '../context.ts'
import { allEntries } from './all-entries.ts'
import { piecesIn } from './pieces-in.ts'
import type { Places } from './places.ts'

/**
 * Writes lines again for entries that have none in any of some files, at the end of the first one: nothing that stands
 * there is touched. Answers how many.
 */
export const writeLacking = async (
  context: Context,
  files: readonly [Places, ...Places[]],
): Promise<Result<number, never>> => {
  const suspects: EntryRow[] = []
  const before = standing(context, files)
  for await (const row of allEntries(context.store)) if (!before.has(row)) suspects.push(row)
  if (suspects.length === 0) return ok(0)
  return context.write(async (tx) => {
    // Whoever appends holds the same lock until its line is written: what lacks one now has lost it.
    const now = standing(context, files)
    const lacking = suspects.filter((row) => !now.has(row))
    for (const { id, body } of lacking) {
      await entries.setLine(tx.db, id, sha256(body))
      if (!context.dryRun) appendLine(files[0].manifest, body)
    }
    if (lacking.length > 0) await tx.record({ after: { written: lacking.length } })
    return ok(lacking.length)
  })
}

/** What stands in some files. */
const standing = ({ host }: Context, files: readonly Places[]): { has(row: EntryRow): boolean } => {
  const lines = new Set<string>()
  const ids = new Set<string>()
  for (const { manifest } of files) {
    if (host.files.stamp(manifest) === '') continue
    for (const { pieces, bytes } of piecesIn(manifest, 0)) {
      for (const piece of pieces) {
        if (!('value' in piece)) continue
        lines.add(sha256(bytes.subarray(piece.start, piece.end)))
        if (typeof piece.value['id'] === 'string') ids.add(piece.value['id'])
      }
    }
  }
  return { has: ({ id, line_sha256 }) => lines.has(line_sha256) || ids.has(id) }
}
