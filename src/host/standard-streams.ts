import { type Bun, bun } from './bun.ts'
import { errnoOf } from './errno.ts'

/** Avoids `node:tty` on Bun, because loading it takes half as long as a whole command. */
export const isTerminal = (descriptor: number): boolean => {
  if (bun) return (process as unknown as WithBinding).binding('tty_wrap').isTTY(descriptor)
  try {
    if (!process.getBuiltinModule('node:fs').fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // A closed descriptor is not a terminal.
    return false
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}

/** The internal function that Bun's `node:tty` uses. */
interface WithBinding {
  binding(name: 'tty_wrap'): { isTTY(descriptor: number): boolean }
}

// Bun writes a text up to this length at once or reports an error. For a longer text, Bun hides errors such as a full
// disk, so `node:fs` writes it.
const atomicWriteLength = 16_384

/**
 * Writes all of the text, even if the reader is slow. It is not an error if the reader has closed the stream. Await the
 * returned promise before the process ends.
 */
export const write = (to: 1 | 2, text: string): Promise<unknown> | undefined => {
  try {
    if (bun && text.length <= atomicWriteLength) return writeWithBun(bun, to, text)
    writeWithNode(to, text)
  } catch (error) {
    if (errnoOf(error) !== 'EPIPE') throw error
  }
  return undefined
}

// Use Bun for standard error too, because many answers also print a line there. Without Bun's writer, `node:fs`
// would have to be loaded, which takes longer than the whole answer.
const writeWithBun = ({ stdout, stderr }: Bun, to: 1 | 2, text: string): Promise<unknown> | undefined => {
  const sink = (to === 1 ? stdout : stderr).writer()
  void sink.write(text)
  const rest = sink.flush()
  return typeof rest === 'number' ? undefined : rest
}

const writeWithNode = (to: 1 | 2, text: string): void => {
  const { writeSync } = process.getBuiltinModule('node:fs')
  const bytes = Buffer.from(text)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(to, bytes, sent)
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}
