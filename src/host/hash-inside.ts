import { constants, fstatSync, readSync } from 'node:fs'
import { liesAt, type NotRead, openPlace, plainPath, refused } from './safe-read.ts'
import { newHash } from './sha256.ts'

export type HashInside =
  /** With the first bytes, as many as were asked for. */
  { ok: true; sha256: string; bytes: number; first: Uint8Array } | NotRead

/** The hash of a regular file below a folder, which is free of links; no link leads to it, whoever else is at work. */
export const hashInside = (folder: string, path: string, most = 0): HashInside => {
  const plain = plainPath(path)
  if (typeof plain !== 'string') return plain
  return openPlace(folder, plain, constants.O_RDONLY, (file, place): HashInside => {
    const stat = fstatSync(file)
    if (!stat.isFile()) return refused('is not a regular file')
    if (stat.nlink !== 1) return refused('has another name elsewhere')
    const hash = newHash()
    const some = new Uint8Array(Math.min(stat.size + 1, 1 << 20))
    let bytes = 0
    let first = new Uint8Array()
    for (let read = readSync(file, some); read > 0; read = readSync(file, some)) {
      if (bytes === 0) first = some.slice(0, Math.min(read, most))
      hash.update(some.subarray(0, read))
      bytes += read
      if (bytes > stat.size + (1 << 20)) return refused('is being written to')
    }
    if (!liesAt(file, place)) return refused('is reached through a link')
    return { ok: true, sha256: hash.digest('hex'), bytes, first }
  })
}
