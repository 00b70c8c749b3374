import { isDue, outerFolder } from '../project/outer-backups.ts'
import type { Connection } from './connection.ts'

/**
 * Saves the database in the user's state folder after a command has changed it, at most once an hour. Waits until the
 * answer is printed; usually one `stat` finds that nothing is due.
 */
export const saveOutside = async (
  connection: Connection,
  printed: (() => Promise<unknown>) | undefined,
): Promise<void> => {
  const store = await connection.opened()
  if (!store?.project) return
  const { host } = connection
  const saved = outerFolder(host, store.project)
  if (saved === undefined || !isDue(host, saved)) return
  await printed?.()
  const { root, folder } = await connection.project()
  const { makeOuterBackup } = await import('../project/make-outer-backup.ts')
  await makeOuterBackup(host, { root, folder, store })
}
