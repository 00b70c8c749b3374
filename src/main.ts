import { writeSync } from 'node:fs'
import { isTerminal } from './host/is-terminal.ts'
import { nodeHost } from './host/node-host.ts'
import { fail } from './model/result.ts'
import { runCli, type Terminal } from './surface/cli/cli.ts'

/** All of it, however slowly the other side reads; a reader that has gone away is nobody's fault. */
const writeAll = (to: number, text: string): void => {
  const bytes = Buffer.from(text)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(to, bytes, sent)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

const terminal: Terminal = {
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
  isTerminal: isTerminal(1),
  get width() {
    return Number(process.env['COLUMNS']) || (isTerminal(1) && process.stdout.columns) || 100
  },
  elapsed: () => performance.now(),
}

try {
  process.exit(await runCli(process.argv.slice(2), nodeHost(), terminal))
} catch (error) {
  const { ok: _, ...failure } = fail('unexpected', {
    reason: error instanceof Error ? error.message : String(error),
  })
  terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`)
  terminal.out(
    `${JSON.stringify({ success: false, error: failure, meta: { op: 'cli', ms: Math.round(terminal.elapsed()) } })}\n`,
  )
  process.exit(failure.exit)
}
