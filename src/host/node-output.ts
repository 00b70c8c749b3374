import { type Bun, bun } from './bun.ts'

// Bun writes this much at once or tells; of a longer text it would keep an error, such as a full disk, to itself.
const short = 16_384

/**
 * Writes all of it, however slowly the other side reads; a reader that has gone away is nobody's fault. A promise
 * stands for what is still to go out, and is to be awaited before the process ends.
 */
export const write = (to: 1 | 2, text: string): Promise<unknown> | undefined => {
  try {
    if (bun && to === 1 && text.length <= short) return writeWithBun(bun, text)
    writeWithNode(to, text)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
  return undefined
}

const writeWithBun = ({ stdout }: Bun, text: string): Promise<unknown> | undefined => {
  const sink = stdout.writer()
  sink.write(text)
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
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}
