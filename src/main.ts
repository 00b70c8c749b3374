import { nodeHost } from './host/node-host.ts'
import { isTerminal, write } from './host/standard-streams.ts'
import { fail } from './kernel/result.ts'
import { runCli } from './surface/cli/cli.ts'
import type { Terminal } from './surface/cli/terminal.ts'

let unwritten: Promise<unknown> | undefined
const print = (to: 1 | 2, text: string): void => {
  unwritten = unwritten ? unwritten.then(() => write(to, text)) : write(to, text)
}

const terminal: Terminal = {
  out: (text) => print(1, text),
  err: (text) => print(2, text),
  isTerminal: isTerminal(1),
  get width() {
    return Number(process.env['COLUMNS']) || (isTerminal(1) && process.stdout.columns) || 100
  },
  // Not `performance` or `Math.floor`, which take time to initialise on first use.
  elapsed: () => (process.uptime() * 1000) | 0,
}

const run = async (): Promise<number> => {
  try {
    return await runCli(process.argv.slice(2), nodeHost(), terminal)
  } catch (error) {
    const { ok: _, ...failure } = fail('unexpected', {
      reason: error instanceof Error ? error.message : String(error),
    })
    terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`)
    terminal.out(
      `${JSON.stringify({ success: false, error: failure, meta: { op: 'cli', ms: terminal.elapsed() } })}\n`,
    )
    return failure.exit
  }
}

/** Runs the command line of this process and ends it. */
export const main = async (): Promise<never> => {
  const status = await run()
  if (unwritten) await unwritten
  process.exit(status)
}

if (import.meta.main) await main()
