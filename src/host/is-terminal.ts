import { bun } from './bun.ts'

/** Whether a descriptor is a terminal. Loading `node:tty` to ask takes as long as half a command. */
export const isTerminal = (descriptor: number): boolean => {
  if (bun) return (process as unknown as WithBinding).binding('tty_wrap').isTTY(descriptor)
  try {
    if (!process.getBuiltinModule('node:fs').fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // A closed descriptor is no terminal.
    return false
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}

/** What `node:tty` itself is made of, in Bun. */
interface WithBinding {
  binding(name: 'tty_wrap'): { isTTY(descriptor: number): boolean }
}
