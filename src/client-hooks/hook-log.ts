import type { Host } from '../host/host.ts'
import { printable } from '../print/printable.ts'
import { logFile } from './agent-record.ts'

/** If the log is larger than this, it is emptied before the next line. */
const maxBytes = 256 * 1024

/** Logs each problem only once, because a hook runs with every tool call. */
export const logOnce = async (host: Host, where: string, what: string): Promise<void> => {
  const path = logFile(host)
  if (path === undefined) return
  const line = printable(`${where.slice(0, 100)}: ${what.slice(0, 2000)}`).replaceAll('\n', ' ')
  try {
    const known = host.files.sizeSeen(path) > maxBytes ? '' : ((await host.files.head(path, maxBytes)) ?? '')
    if (known.includes(` ${line}\n`)) return
    await host.files.put(path, `${known}${new Date(host.now()).toISOString()} ${line}\n`, 0o600)
  } catch {
    // Ignore the error: a log that cannot be written must not stop the agent.
  }
}
