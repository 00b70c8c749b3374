import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const opening = ['openSync', 'readFileSync'] as const
const asking = ['lstatSync', 'statSync', 'readdirSync', ...opening] as const

/**
 * Runs `work` with the real file system. Returns the paths that were given to the functions in `asking`, one for
 * each call.
 */
export const pathsAsked = (work: () => Promise<unknown>): Promise<string[]> => noted(asking, work)

/** Runs `work` and returns the paths of the files it opened. */
export const pathsRead = (work: () => Promise<unknown>): Promise<string[]> => noted(opening, work)

const noted = async (
  names: readonly (typeof asking)[number][],
  work: () => Promise<unknown>,
): Promise<string[]> => {
  const paths: string[] = []
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]))
  for (const name of names)
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (typeof args[0] === 'string') paths.push(args[0])
        return (real[name] as (...args: unknown[]) => unknown)(...args)
      },
    })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  }
  return paths
}
