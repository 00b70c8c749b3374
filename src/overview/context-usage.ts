import type { Files } from '../host/host.ts'
import { openNumbers } from '../host/node-shared-numbers.ts'

/** How many model tokens of CLEO's output an orchestrator may read in one session (ORC-005). */
export const budget = 10_000
const warningAt = 0.7
const criticalAt = 0.9

type ContextState = 'ok' | 'warning' | 'critical'

/** The open file in which CLEO counts the output of its commands in a session. */
export interface ContextUsage {
  /** How many model tokens the commands have printed in the session. */
  used(): number
  add(operation: string, tokens: number): void
  numbers: Uint32Array<ArrayBuffer>
}

export const stateOf = (used: number): ContextState =>
  used >= budget * criticalAt ? 'critical' : used >= budget * warningAt ? 'warning' : 'ok'

/** Returns undefined for an id that is unsafe as a file name. */
export const contextUsagePath = (folder: string, session: string): string | undefined =>
  isSessionId(session) ? `${folder}/context/${session}.counts` : undefined

const isSessionId = (id: string): boolean => {
  if (!id.startsWith('ses_') || id.length < 8 || id.length > 36) return false
  // Loop by index, because the first use of an iterator takes time.
  for (let i = 4; i < id.length; i++) {
    const char = id[i]!
    if (!((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9'))) return false
  }
  return true
}

/**
 * The file has rows of four numbers. The first row has the mark of this format and the number of model tokens that all
 * operations printed. Each other row belongs to one operation. It has the hash of the operation's name, the number of
 * its calls, and the number of its tokens. Because the file has a fixed size, it can be mapped into memory. So counting
 * needs no `node:fs` and no database.
 */
const mark = 'CLEO'
const markNumber = 0x4f_45_4c_43
export const rowSize = 4
const rowCount = 256

/** The first command of a session makes the file. */
export const openContextUsage = (files: Files, path: string): ContextUsage => {
  if (files.sizeSeen(path) === 0) {
    files.makeFolder(path.slice(0, path.lastIndexOf('/')), 0o700)
    files.writeNew(path, mark.padEnd(rowCount * rowSize * Uint32Array.BYTES_PER_ELEMENT, '\0'), 0o600)
  }
  const { numbers, save } = openNumbers(path)
  // Write only to a file of this format, because the path may be a link to a file of the user.
  if (numbers.length !== rowCount * rowSize || numbers[0] !== markNumber)
    throw new Error(`${path} is not a file of counts`)
  return {
    used: () => numbers[1]!,
    add: (operation, tokens) => {
      const row = rowOf(numbers, hash(operation))
      if (row > 0) {
        Atomics.add(numbers, row + 1, 1)
        Atomics.add(numbers, row + 2, tokens)
      }
      Atomics.add(numbers, 1, tokens)
      save()
    },
    numbers,
  }
}

/**
 * Returns where the row of an operation starts. If the operation has no row, takes a free one. Returns 0 if no row is
 * free.
 */
const rowOf = (numbers: Uint32Array<ArrayBuffer>, key: number): number => {
  for (let row = rowSize; row < numbers.length; row += rowSize) {
    // A row always belongs to the operation that took it. So only a free row needs `compareExchange`, which is slower.
    if (numbers[row] === key) return row
    if (numbers[row] !== 0) continue
    const owner = Atomics.compareExchange(numbers, row, 0, key)
    if (owner === 0 || owner === key) return row
  }
  return 0
}

/**
 * Hashes a name with FNV-1a. No name may have the hash 0, because 0 marks a free row. Multiplies by 0x01000193 without
 * `Math.imul`, because the first use of `Math` creates 35 functions, which takes time.
 */
export const hash = (name: string): number => {
  let sum = 0x811c9dc5
  for (let i = 0; i < name.length; i++) {
    const mixed = (sum ^ name.charCodeAt(i)) >>> 0
    sum = ((mixed << 24) + mixed * 0x193) >>> 0
  }
  return sum
}
