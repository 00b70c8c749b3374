import { fileReason } from './host/errno.ts'
import { nodeHost, ownProgram } from './host/node-host.ts'
import { isTerminal, write } from './host/standard-streams.ts'
import { agentClientIn } from './kernel/actor.ts'
import { fail } from './kernel/result.ts'
import { runCli } from './surface/cli/cli.ts'
import type { Servers } from './surface/cli/servers.ts'
import type { Terminal } from './terminal/terminal.ts'

let unwritten: Promise<unknown> | undefined
let outputError: unknown
const print = (to: 1 | 2, text: string): void => {
  if (outputError) return
  try {
    unwritten = unwritten ? unwritten.then(() => write(to, text)) : write(to, text)
  } catch (error) {
    outputError = error
  }
}

// Some agent clients run commands at a terminal that no person sees. Such a terminal counts as a pipe, because its
// width would cut and wrap the text for the model.
const isWatched = (descriptor: 1 | 2): boolean =>
  isTerminal(descriptor) && agentClientIn(process.env) === undefined

const terminal: Terminal = {
  out: (text) => print(1, text),
  err: (text) => print(2, text),
  flush: async () => void (await unwritten),
  isTerminal: isWatched(1),
  get isErrorTerminal() {
    return isWatched(2)
  },
  get width() {
    return terminal.isTerminal ? Number(process.env['COLUMNS']) || process.stdout.columns || 100 : undefined
  },
  // Do not use `performance` or `Math.floor`, because the first use of each takes time.
  elapsed: () => (process.uptime() * 1000) | 0,
}

const servers: Servers = {
  mcp: async (options) => (await import('./mcp/serve.ts')).serveMcp(options),
  demo: async ({ host, print }) => {
    const { playDemo } = await import('./demo/demo.ts')
    const { makeTemporaryFolder } = await import('./host/node-temporary.ts')
    return playDemo({ host, folder: makeTemporaryFolder('cleo-demo-'), print })
  },
  hidden: {
    'agent-watcher': async (host) => (await import('./agent-processes/watcher.ts')).watchAgent(host),
    'agent-script': async (host, args) =>
      (await import('./agent-processes/script-agent.ts')).scriptAgent(host, args),
    'agent-acp': async (host, args) => (await import('./agent-processes/acp-agent.ts')).acpAgent(host, args),
  },
}

const run = async (): Promise<number> => {
  try {
    return await runCli(process.argv.slice(2), nodeHost(ownProgram()), terminal, servers)
  } catch (error) {
    const { ok: _, ...failure } = fail('unexpected', {
      reason: error instanceof Error ? error.message : String(error),
    })
    terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`)
    const meta = { op: 'cli', ms: terminal.elapsed() }
    if (process.argv.includes('--json') || process.env['CLEO_FORMAT'] === 'json')
      terminal.out(`${JSON.stringify({ success: false, error: failure, meta })}\n`)
    else terminal.err(`${failure.message}\n  fix: ${failure.fix}\n`)
    return failure.exit
  }
}

export const main = async (): Promise<never> => {
  const status = await run()
  try {
    if (unwritten) await unwritten
  } catch (error) {
    outputError = error
  }
  process.exit(outputError ? await reportOutputError(status) : status)
}

/** Reports that the answer could not be printed, for example because standard output is a file on a full disk. */
const reportOutputError = async (status: number): Promise<number> => {
  const { message, exit } = fail('output.unwritten', { reason: fileReason(outputError), ok: status === 0 })
  try {
    await write(2, `${message}\n`)
  } catch {
    // Standard error cannot be written either, so only the exit status can report the error.
  }
  return status || exit
}

if (import.meta.main) await main()
