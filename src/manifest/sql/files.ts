import type { Db } from '../../store/port.ts'

/** How far a file of entries has been read. */
export interface ManifestFileRow {
  path: string
  /** Bytes that need not be looked at again. */
  consumed: number
  /** Hash of the last ones before that: another one means another file. */
  mark: string
  /** Size and time of the file when it was last looked at. */
  seen: string
}

export const find = (db: Db, path: string): Promise<ManifestFileRow | undefined> =>
  db.get<ManifestFileRow>('SELECT * FROM manifest_files WHERE path = ?', path)

/** Puts down how far it has been read, unless somebody else has read on since `before`: then false. */
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
