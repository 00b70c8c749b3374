import { randomFillSync } from 'node:crypto'
import { fstatSync, readFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import type { Host } from './host.ts'
import { nodeFiles } from './node-files.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

const randomId = (length: number): string =>
  Array.from(randomFillSync(new Uint8Array(length)), (byte) => alphabet[byte % 36]).join('')

export const nodeHost = (): Host => ({
  now: () => Date.now(),
  randomId,
  cwd: process.cwd(),
  env: process.env,
  get user() {
    return process.env['USER'] || process.env['LOGNAME'] || userInfo().username
  },
  get home() {
    return process.env['HOME'] || homedir()
  },
  files: nodeFiles(randomId),
  processes: {
    // Starting programs is rare; most commands never pay for loading this.
    run: async (...call) => (await import('./node-processes.ts')).nodeProcesses.run(...call),
  },
  readInput: () => {
    const kind = fstatSync(0)
    return kind.isCharacterDevice() && isTerminal() ? undefined : readFileSync(0, 'utf8')
  },
})

const isTerminal = () => process.stdin.isTTY === true
