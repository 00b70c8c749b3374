import { iso } from '../kernel/time.ts'
import type { Entry } from './entry.ts'

export interface Origin {
  spawn: string | null
  /** Of the output file. */
  sha256: string | null
  now: number
}

/** An entry as it is kept and as it stands in the file: one line, with what CLEO knows of it at the end. */
export const bodyOf = (entry: Entry, { spawn, sha256, now }: Origin): string =>
  JSON.stringify({
    ...entry,
    ...(spawn !== null && { spawnId: spawn }),
    ...(sha256 !== null && { sha256 }),
    appendedAt: iso(now),
  })
