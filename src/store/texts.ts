import type { Db, Text, TextKind } from './port.ts'

/** Entries and memories never change, so each is added once. */
export const put = (db: Db, texts: readonly Text[]): Promise<void> => db.dialect.putTexts(db, texts)

/** Returns a query for texts that contain every word of `text`, or longer words that begin with these words. */
export const anyEnding = ({ dialect }: Db, text: string): string =>
  dialect.allWords(dialect.splitWords(text).map((word) => ({ word })))

/** The best match comes first. */
export const match = async (
  db: Db,
  kind: TextKind,
  query: string,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ refs: string[]; total: number }> => {
  const words = anyEnding(db, query)
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
