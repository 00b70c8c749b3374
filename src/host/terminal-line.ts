import { readSync } from 'node:fs'
import { errnoOf } from './errno.ts'
import { isTerminal } from './standard-streams.ts'

const mostBytes = 1000

export const readLine = (): string => readTyped() ?? ''

/** Reads one line that a person types; undefined at the end of input. */
const readTyped = (): string | undefined => {
  const byte = Buffer.alloc(1)
  const line: number[] = []
  while (line.length < mostBytes) {
    try {
      if (readSync(0, byte, 0, 1, null) === 0) {
        if (line.length === 0) return undefined
        break
      }
      if (byte[0] === 0x0a) break
      line.push(byte[0]!)
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') break
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
  return Buffer.from(line).toString()
}

export const askLine = (): (() => string | undefined) | undefined => (isTerminal(0) ? readTyped : undefined)
