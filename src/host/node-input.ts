import { errnoOf, fileReason } from './errno.ts'

/**
 * The result of reading standard input: its text, `over` if the text is longer than the limit, or the reason why it
 * cannot be read.
 */
export type StandardInput = { text: string } | { over: true } | { reason: string }

const firstBytes = 65_536

/** Stops at the end of the input, or when more than `maxBytes` were read. */
export const readStandardInput = (maxBytes: number, descriptor = 0): StandardInput => {
  const { readSync } = process.getBuiltinModule('node:fs')
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(firstBytes, maxBytes + 1))
  let total = 0
  for (;;) {
    try {
      const count = readSync(descriptor, bytes, total, bytes.length - total, null)
      if (count === 0) return { text: bytes.toString('utf8', 0, total) }
      total += count
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') return { reason: fileReason(error) }
      // This descriptor does not block, and it has no input yet: wait and try again.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
    if (total > maxBytes) return { over: true }
    if (total === bytes.length) bytes = larger(bytes, Math.min(bytes.length * 2, maxBytes + 1))
  }
}

const larger = (bytes: Buffer, length: number): Buffer => {
  const copy = Buffer.allocUnsafe(length)
  bytes.copy(copy)
  return copy
}
