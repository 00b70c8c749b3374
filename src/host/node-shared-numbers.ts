import { bun } from './bun.ts'
import { refuseOwnLinks } from './node-own-links.ts'

/** The numbers in a file. Several processes can change these numbers at the same time. */
export interface SharedNumbers {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** Does nothing on Bun, where every change is in the file already. */
  save(): void
}

/**
 * Opens a file of numbers. On Bun, the file is mapped into memory: a change with `Atomics` is in the file at once and
 * is never lost. On Node, which cannot map a file, a change can be lost if two processes change the file at the same
 * instant.
 */
export const openNumbers = (path: string): SharedNumbers => {
  if (bun) return { numbers: numbersIn(bun.mmap(path, { shared: true })), save: () => undefined }
  refuseOwnLinks(path)
  const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const bytes = new Uint8Array(readFileSync(path))
  return { numbers: numbersIn(bytes), save: () => writeFileSync(path, bytes, { flag: 'r+' }) }
}

const numbersIn = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> =>
  new Uint32Array(buffer, byteOffset, length >>> 2)
