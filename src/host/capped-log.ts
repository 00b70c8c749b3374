import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { ownLink } from './node-own-links.ts'

const keptEnd = 256 * 1024

/** A log of limited size, which keeps the beginning and the end of what was written. */
export interface CappedLog {
  write(chunk: Buffer): void
  /** Writes the kept end of the output, after a line that says how many bytes were left out. */
  close(): void
}

/**
 * Appends to a log file until it has `maxBytes`, then keeps the end of the output in memory. A disk error ends only the
 * log, because a full disk must not end the agent that writes the output. If there is a link or a pipe at the path,
 * writes no log: an agent in a sandbox could put a link there, to make this process write to a file outside the
 * sandbox.
 */
export const cappedLog = (path: string, maxBytes: number): CappedLog => {
  let file = quietly(() => {
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o700 })
    return openOwn(path)
  })
  let written = 0
  let end: Buffer[] = []
  let endBytes = 0
  let leftOut = 0
  const toFile = (chunk: Buffer): void => {
    if (file !== undefined && quietly(() => writeAll(file!, chunk)) === undefined) file = undefined
  }
  return {
    write: (chunk) => {
      const fits = chunk.subarray(0, Math.max(0, maxBytes - written))
      written += fits.length
      if (fits.length > 0) toFile(fits)
      if (fits.length === chunk.length) return
      // Copy the rest, because a slice would keep the whole chunk in memory.
      const rest = Buffer.from(chunk.subarray(fits.length))
      end.push(rest)
      endBytes += rest.length
      while (endBytes - end[0]!.length >= keptEnd) {
        leftOut += end[0]!.length
        endBytes -= end.shift()!.length
      }
    },
    close: () => {
      const rest = Buffer.concat(end)
      const kept = rest.subarray(-keptEnd)
      leftOut += rest.length - kept.length
      if (leftOut > 0) toFile(Buffer.from(`\n… ${leftOut} bytes are left out here …\n`))
      if (kept.length > 0) toFile(kept)
      end = []
      if (file !== undefined) quietly(() => closeSync(file!))
      file = undefined
    },
  }
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants

const openOwn = (path: string): number | undefined => {
  if (ownLink(path) !== undefined) return undefined
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const stat = fstatSync(file)
  if (stat.isFile() && stat.nlink === 1) return file
  closeSync(file)
  return undefined
}

const writeAll = (file: number, bytes: Buffer): true => {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
  return true
}

const quietly = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
