import { bun, inputWithBun } from './bun.ts'
import type { Host } from './host.ts'
import { nodeFiles } from './node-files.ts'
import { isTerminal } from './standard-streams.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

const randomId = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 36]).join('')

/**
 * Returns the command that starts another process of CLEO. An executable made with Bun contains the script, but
 * Node gets the script as an argument.
 */
export const ownProgram = (): readonly [string, ...string[]] =>
  bun ? [process.execPath] : [process.execPath, process.argv[1]!]

/**
 * Returns the name of this user's account from the system's list. Bun's `userInfo` reads only the variables USER
 * and LOGNAME, and containers often set neither.
 */
const accountName = (): string | undefined => {
  try {
    const accounts = process.getBuiltinModule('node:fs').readFileSync('/etc/passwd', 'utf8').split('\n')
    const own = String(process.getuid?.())
    return accounts.map((line) => line.split(':')).find((fields) => fields[2] === own)?.[0]
  } catch {
    return undefined
  }
}

// Kept, because a long-lived process starts many programs, and `import()` of a loaded module still takes a while.
let loadedAlone: Promise<typeof import('./run-with-bun.ts')> | undefined
const alone = () => (loadedAlone ??= import('./run-with-bun.ts'))
let loadedGroup: Promise<typeof import('./run-group-with-bun.ts')> | undefined
const group = () => (loadedGroup ??= import('./run-group-with-bun.ts'))

export const nodeHost = (program?: Host['program']): Host => ({
  ...(program && { program }),
  now: () => Date.now(),
  randomId,
  cwd: process.cwd(),
  env: process.env,
  get user() {
    return process.env['USER'] || process.env['LOGNAME'] || accountName() || 'someone'
  },
  get home() {
    return process.env['HOME'] || '/'
  },
  files: nodeFiles(randomId),
  processes: {
    // Loaded on first use, because most commands start no program.
    run: async (program, args, options) => {
      if (bun && options.alone) return (await alone()).runWithBun(bun, program, args, options)
      if (bun && options.git) return (await group()).runGroupWithBun(bun, program, args, options)
      return (await import('./node-processes.ts')).nodeProcesses.run(program, args, options)
    },
  },
  readInput: async (maxBytes, descriptor = 0) =>
    isTerminal(descriptor)
      ? undefined
      : (await import('./node-input.ts')).readStandardInput(maxBytes, descriptor),
  readEvent: async (maxBytes) => {
    if (isTerminal(0)) return undefined
    return bun ? inputWithBun(bun, maxBytes) : (await import('./node-input.ts')).readStandardInput(maxBytes)
  },
})
