import type { Db } from '../../store/port.ts'

/** How far a manifest has been read. */
export interface ManifestFileRow {
  path: string
  /** The offset up to which the file was read. Bytes before it need not be read again. */
  consumed: number
  /** Hash of the last bytes before the offset. If these bytes have changed, the file was replaced. */
  mark: string
  /** Size and time of the file when it was last read. */
  seen: string
}

export const find = (db: Db, path: string): Promise<ManifestFileRow | undefined> =>
  db.get<ManifestFileRow>('SELECT * FROM manifest_files WHERE path = ?', path)

/** Saves the offset. Returns false if another process has moved the offset since `before` was read. */
export const advance = async (
  db: Db,
  before: ManifestFileRow | undefined,
  { path, consumed, mark, seen }: ManifestFileRow,
): Promise<boolean> => {
  if (!before)
    return (
      (await db.run(
        'INSERT INTO manifest_files (path, consumed, mark, seen) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        path,
        consumed,
        mark,
        seen,
      )) > 0
    )
  return (
    (await db.run(
      'UPDATE manifest_files SET consumed = ?, mark = ?, seen = ? WHERE path = ? AND consumed = ? AND mark = ?',
      consumed,
      mark,
      seen,
      path,
      before.consumed,
      before.mark,
    )) > 0
  )
}
