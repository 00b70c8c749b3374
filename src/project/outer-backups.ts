import type { Host } from '../host/host.ts'
import { stateFolder } from '../host/user-folders.ts'

export const outerFolder = (host: Host, id: string): string | undefined => {
  const state = stateFolder(host)
  return state && `${state}/${id}`
}

/** How long to wait for the next backup: `betweenBackups` after a backup, `afterFailure` after a failed attempt. */
export const betweenBackups = 60 * 60_000
export const afterFailure = 5 * 60_000

/**
 * The modification time of this file is the time at which the next backup is due. So one `stat` shows whether a backup
 * is due.
 */
export const dueFile = (folder: string): string => `${folder}/due`

/**
 * Whether a backup is due. If the recorded time is too far in the future, it was written with a wrong clock. In that
 * case, a backup is due now.
 */
export const isDue = ({ files, now }: Host, folder: string): boolean => {
  const stamp = files.stamp(dueFile(folder))
  const due = Number(stamp.slice(stamp.indexOf(' ') + 1))
  const time = now()
  return stamp === '' || due <= time || due > time + betweenBackups + 1000
}

/**
 * Returns the path of the file with the ids of all spawns, one per line. A restore reads it, because a backup can
 * lack the newest spawns.
 */
export const spawnedFile = (folder: string): string => `${folder}/spawned`

/** Records a spawn outside the project, so that its number is not used again if the database is lost. */
export const noteSpawn = (host: Host, project: string | null | undefined, spawn: string): void => {
  const folder = project && outerFolder(host, project)
  if (!folder) return
  try {
    host.files.append(spawnedFile(folder), `${spawn}\n`, 0o600)
  } catch {
    // Ignored, because the spawn itself is recorded, and doctor reports a state folder that cannot be written.
  }
}
