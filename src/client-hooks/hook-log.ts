import type { Host } from '../host/host.ts'
import { printable } from '../kernel/print/printable.ts'
import { logFile } from './agent-record.ts'

/** The log starts anew past this size. */
const maxBytes = 256 * 1024

/** Logs a problem of a hook, once: hooks run all the time, so the same problem comes back with every call. */
export const logOnce = async (host: Host, where: string, what: string): Promise<void> => {
  const path = logFile(host)
  if (path === undefined) return
  const line = printable(`${where.slice(0, 100)}: ${what.slice(0, 2000)}`).replaceAll('\n', ' ')
  try {
    const known = host.files.sizeSeen(path) > maxBytes ? '' : ((await host.files.head(path, maxBytes)) ?? '')
    if (known.includes(` ${line}\n`)) return
    await host.files.put(path, `${known}${new Date(host.now()).toISOString()} ${line}\n`, 0o600)
  } catch {
    // A log that cannot be written must not stop anyone either.
  }
}
