import type { Files } from '../host/host.ts'
import { postgresAddress } from '../store/open/choose-store.ts'
import type { ExaminedProject } from './examined-project.ts'

export const nearestExisting = (files: Files, path: string): string => {
  for (let end = path; ; end = end.slice(0, end.lastIndexOf('/')))
    if (end === '' || files.kind(end) !== undefined) return end || '/'
}

/** Returns the path of a write-ahead log whose database file is missing. */
export const orphanedLog = ({ host, folder, config }: ExaminedProject): string | undefined =>
  !postgresAddress(host, config) &&
  host.files.kind(`${folder}/cleo.db`) === undefined &&
  host.files.size(`${folder}/cleo.db-wal`) > 0
    ? '.cleo/cleo.db-wal'
    : undefined
