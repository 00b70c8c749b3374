import type { Host } from '../host/host.ts'
import type { ProjectPlace } from './cloned-database.ts'
import { outerFolder } from './outer-backups.ts'

/**
 * Returns the path of a file in the user's state folder. If the file exists, this user made or accepted the database
 * with this id.
 */
const knownFile = (host: Host, id: string): string | undefined => {
  const folder = outerFolder(host, id)
  return folder && `${folder}/known`
}

export const isKnownHere = (host: Host, id: string): boolean => {
  const path = knownFile(host, id)
  return path !== undefined && host.files.sizeSeen(path) > 0
}

/**
 * Records the id of a database as known. The database stays known when the project is moved. Without a state folder,
 * this does nothing, and each command checks the database again.
 */
export const rememberDatabase = (host: Host, id: string): void => {
  const path = knownFile(host, id)
  if (path === undefined) return
  try {
    host.files.replace(path, 'This user made or accepted the database of this project here.\n', 0o600)
  } catch {
    // Ignored, because without this file the next command only checks the database again.
  }
}

/**
 * Returns the check that a store runs on the id of a database, before the database is used or migrated. For a known
 * database, the check takes one `stat`. Any other database is refused if it came with a clone.
 */
export const admission =
  (place: ProjectPlace) =>
  (id: string | undefined): Promise<void> | undefined =>
    id !== undefined && isKnownHere(place.host, id) ? undefined : admitUnknown(place, id)

const admitUnknown = async (place: ProjectPlace, id: string | undefined): Promise<void> => {
  await (await import('./cloned-database.ts')).refuseCloned(place)
  if (id !== undefined) rememberDatabase(place.host, id)
}
