import type { Host } from '../host/host.ts'
import { removeFile } from '../host/permissions.ts'

const keptFor = 14 * 24 * 60 * 60_000
/** At most this many records are checked at the start of a session. */
const mostLookedAt = 500

/** Removes the records of agents that have not called a hook for two weeks. */
export const removeOldRecords = (host: Host, folder: string): void => {
  for (const name of host.files.list(folder).slice(0, mostLookedAt)) {
    const path = `${folder}/${name}`
    const changed = Number(host.files.stamp(path).split(' ')[1] ?? host.now())
    if (host.now() - changed > keptFor) removeFile(path)
  }
}
