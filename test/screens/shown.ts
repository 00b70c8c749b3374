import { nodeHost } from '../../src/host/node-host.ts'
import { runCli } from '../../src/surface/cli/cli.ts'
import { noServers } from '../support/no-servers.ts'

export interface View {
  /** Columns of the terminal; undefined for a pipe. */
  width?: number
  env?: Record<string, string>
  now?: number
  /** Whether to throw if the command is refused. */
  must?: boolean
}

export const start = Date.UTC(2026, 0, 5, 10, 0)

/** Returns what a command prints at a terminal of this width, standard output and error together. */
export const shown = async (root: string, argv: readonly string[], view: View = {}): Promise<string> => {
  let text = ''
  const print = (more: string): void => {
    text += more
  }
  const isTerminal = view.width !== undefined
  let random = 0
  const host = {
    ...nodeHost(),
    cwd: root,
    home: `${root}/.home`,
    user: 'ada',
    env: { PATH: process.env['PATH'], ...view.env },
    now: () => view.now ?? start,
    randomId: (length: number) => String(++random).padStart(length, 'a'),
    readInput: async () => undefined,
  }
  const exit = await runCli(
    argv,
    host,
    {
      out: print,
      err: print,
      isTerminal,
      isErrorTerminal: isTerminal,
      width: view.width,
      elapsed: () => 0,
    },
    noServers,
  )
  if (view.must && exit !== 0) throw new Error(`${argv.join(' ')}: ${text}`)
  return (
    text
      .replaceAll(root, '/shop')
      // The hash and the size of a prompt depend on the folder of the project.
      .replace(/("hash":\s*")[0-9a-f]{64}/g, '$1<hash>')
      .replace(/\b\d[\d,]* tokens/g, '<n> tokens')
      .replace(/\b\d+ checks/g, '<n> checks')
      // The path of a worktree contains the project id, which is random. Sizes depend on the disk.
      .replace(/\/cleo\/[0-9a-f]{12}\//g, '/cleo/<hash>/')
      .replace(/\b\d[\d.]* [kM]?B\b/g, '<size>')
  )
}

const names: Record<string, string> = { 1: 'b', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }

/** Writes colours as tags that can be read in a golden file. */
export const tagged = (text: string): string =>
  text.replaceAll(
    /\u001b\[(\d+)m([^\u001b]*(?:\u001b\[1m[^\u001b]*\u001b\[22m)?[^\u001b]*)\u001b\[\d+m/g,
    (_, code: string, inner: string) => `<${names[code]}>${inner.replaceAll(/\u001b\[\d+m/g, '*')}</>`,
  )

export const withoutColour = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '')
