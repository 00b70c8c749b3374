import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A name in the folder that no file has yet: `name.db`, `name-2.db`, … */
export const freeName = (folder: string, name: string): string => {
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? `${name}.db` : `${name}-${n}.db`)
    if (!existsSync(path)) return path
  }
}

export const backupFolder = (folder: string): string => `${folder}/backups`

/** A moment in UTC, fit for the name of a file. */
export const stamp = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
