import { fstatSync } from 'node:fs'

/**
 * Whether a descriptor is a terminal. Loading `node:tty` takes as long as half a command, so it is asked only about
 * character devices, which pipes and files are not.
 */
export const isTerminal = (descriptor: number): boolean => {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // A closed descriptor is no terminal.
    return false
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}
