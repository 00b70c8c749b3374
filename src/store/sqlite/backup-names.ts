import { join } from 'node:path'
import { exists } from '../../host/node-database-files.ts'

export const freeName = (folder: string, name: string): string => {
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? `${name}.db` : `${name}-${n}.db`)
    if (!exists(path)) return path
  }
}

export const backupFolder = (folder: string): string => `${folder}/backups`

/** Formats a time in UTC for use in a file name. */
export const stamp = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Like `stamp`, but to the millisecond. Sorting these names sorts the times. */
export const exactStamp = (now: number): string => new Date(now).toISOString().replaceAll(':', '-')
