import { appendLine } from '../host/line-file.ts'
import { sha256 } from '../host/sha256.ts'
import { linkedFolders } from '../host/worktrees.ts'
import { ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import { allEntries } from './all-entries.ts'
import { ingest } from './ingest.ts'
import { piecesIn } from './pieces-in.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

/**
 * Writes lines again for entries that have none in any of some files, at the end of the first one: nothing that stands
 * there is touched. Answers how many.
 */
const writeLacking = async (
  context: Context,
  files: readonly [WorkFolders, ...WorkFolders[]],
): Promise<Result<number, never>> => {
  const suspects = await lackingIn(context, context.store, files)
  if (suspects.length === 0) return ok(0)
  return context.write(async (tx) => {
    // Whoever appends holds the same lock until its line is written: what lacks one now has lost it.
    const lacking = await lackingIn(context, tx.db, files)
    for (const { id, body } of lacking) {
      await entries.setLine(tx.db, id, sha256(body))
      if (!context.dryRun) appendLine(files[0].manifest, body)
    }
    if (lacking.length > 0) await tx.record({ after: { written: lacking.length } })
    return ok(lacking.length)
  })
}

/** The entries that no line of some files stands for. */
const lackingIn = async ({ host }: Context, db: Db, files: readonly WorkFolders[]): Promise<EntryRow[]> => {
  const standing = new Set<number>()
  for (const { manifest } of files) {
    if (host.files.stamp(manifest) === '') continue
    for (const { pieces, bytes } of piecesIn(manifest, 0)) {
      const hashes = pieces.map(({ start, end }) => sha256(bytes.subarray(start, end)))
      const ids = pieces.flatMap((piece) => ('value' in piece ? [piece.value['id']] : []))
      for (const seq of await entries.seqsOf(
        db,
        hashes,
        ids.filter((id) => typeof id === 'string'),
      ))
        standing.add(seq)
    }
  }
  const lacking: EntryRow[] = []
  for await (const row of allEntries(db)) if (!standing.has(row.seq)) lacking.push(row)
  return lacking
}

/** Reads new lines of every manifest file, worktrees included, and writes the lines that the project's own file lacks. */
export const syncFiles = async (context: Context) => {
  const folders = linkedFolders(context.host, context.root)
  const found = await ingest(context, folders)
  const own = workFoldersIn(context, context.root)
  const written = await writeLacking(context, [
    own,
    ...folders.map((folder) => workFoldersIn(context, folder)),
  ])
  if (!written.ok) return written
  if (written.value > 0 && !context.dryRun) await ingest(context)
  const { taken, quarantined, warnings } = found
  const noChange = taken + quarantined + written.value === 0
  const counts = { taken, quarantined, written: written.value }
  return ok({ ...counts, ...(noChange && { noChange: true as const }) }, { warnings })
}
