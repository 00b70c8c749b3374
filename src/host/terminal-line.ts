import { readSync } from 'node:fs'
import { errnoOf } from './errno.ts'

const mostBytes = 1000

/** Reads one line that a person types. Ends at the end of input too. */
export const readLine = (): string => {
  const byte = Buffer.alloc(1)
  let line = ''
  while (line.length < mostBytes) {
    try {
      if (readSync(0, byte, 0, 1, null) === 0 || byte[0] === 0x0a) break
      line += byte.toString('latin1')
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') break
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
  return line
}
