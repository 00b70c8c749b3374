import { linkedFolders } from '../git/git-folder.ts'
import { appendLine } from '../host/line-file.ts'
import { sha256 } from '../host/sha256.ts'
import { ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import { ingest } from './ingest.ts'
import { manifestLines } from './manifest-lines.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

/**
 * Ingests the new lines of every manifest, also in worktrees. If an entry has lost its line, writes the line to the
 * project's own manifest.
 */
export const syncFiles = async (context: Context) => {
  const worktrees = linkedFolders(context.host, context.root)
  const { entries, quarantined, warnings } = await ingest(context, worktrees)
  const own = workFoldersIn(context, context.root)
  const written = await writeMissing(context, [own, ...worktrees.map((work) => workFoldersIn(context, work))])
  if (!written.ok) return written
  if (written.value > 0 && !context.dryRun) await ingest(context)
  const noChange = entries + quarantined + written.value === 0
  const counts = { taken: entries, quarantined, written: written.value }
  return ok({ ...counts, ...(noChange && { noChange: true as const }) }, { warnings })
}

/** Appends the missing lines to the first manifest, which is the project's own. Returns how many lines were written. */
const writeMissing = async (
  context: Context,
  manifests: readonly [WorkFolders, ...WorkFolders[]],
): Promise<Result<number, never>> => {
  const suspects = await missingFrom(context, context.store, manifests)
  if (suspects.length === 0) return ok(0)
  return context.write(async (tx) => {
    // Check again under the write lock. Storing an entry holds this lock until its line is written. So if an entry has
    // no line now, its line was lost.
    const missing = await missingFrom(context, tx.db, manifests)
    for (const { id, body } of missing) {
      await entries.setLine(tx.db, id, sha256(body))
      if (!context.dryRun) appendLine(manifests[0].manifest, body)
    }
    if (missing.length > 0) await tx.record({ after: { written: missing.length } })
    return ok(missing.length)
  })
}

const missingFrom = async (
  { host }: Context,
  db: Db,
  manifests: readonly WorkFolders[],
): Promise<EntryRow[]> => {
  const present = new Set<number>()
  for (const { manifest } of manifests) {
    if (host.files.stamp(manifest) === '') continue
    for (const { lines } of manifestLines(manifest, 0)) {
      const hashes = lines.map((line) => line.sha256)
      const ids = lines.map(({ fields }) => fields?.['id']).filter((id) => typeof id === 'string')
      for (const seq of await entries.entryNumbers(db, hashes, ids)) present.add(seq)
    }
  }
  const missing: EntryRow[] = []
  for await (const row of entries.all(db)) if (!present.has(row.seq)) missing.push(row)
  return missing
}
