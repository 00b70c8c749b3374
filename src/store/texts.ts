import type { Db, Text, TextKind } from './port.ts'

/** Adds text to the search index. Entries and memories never change, so each is added once. */
export const put = (db: Db, texts: readonly Text[]): Promise<void> => db.dialect.putTexts(db, texts)

/** Returns the entries or memories that match the words, best match first. */
export const match = async (
  db: Db,
  kind: TextKind,
  query: string,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ refs: string[]; total: number }> => {
  const words = db.dialect.words(query)
  if (words === '') return { refs: [], total: 0 }
  const hits = `(${db.dialect.textHits}) AS hits`
  const total = await db.get<{ n: number }>(`SELECT count(*) AS n FROM ${hits}`, words, kind)
  const rows = await db.all<{ ref: string }>(
    `SELECT ref FROM ${hits} ORDER BY rank, ref LIMIT ? OFFSET ?`,
    words,
    kind,
    limit,
    skip,
  )
  return { refs: rows.map(({ ref }) => ref), total: Number(total!.n) }
}
