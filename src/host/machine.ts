import { existsSync, statfsSync } from 'node:fs'
import { type Bun, bun } from './bun.ts'
import { errnoOf } from './errno.ts'

/** Returns how many bytes this user can still write at a path, or at the nearest existing folder above it. */
export const freeSpace = (path: string): number => {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    try {
      const { bavail, bsize } = statfsSync(at)
      return bavail * bsize
    } catch (error) {
      // The folder does not exist yet, or this user may not enter a folder above it: try the parent.
      if (at === '/' || errnoOf(error) === undefined) throw error
    }
  }
}

/**
 * Whether a row of ports is free, beginning with the port `first`. Each port must be free for a program that listens on
 * the loopback address, and for a program that listens on all addresses.
 */
export const arePortsFree = async (first: number, count: number): Promise<boolean> => {
  const isLinux = existsSync('/proc/version')
  for (let port = first; port < first + count; port++) if (!(await isPortFree(port, isLinux))) return false
  return true
}

const isPortFree = async (port: number, isLinux: boolean): Promise<boolean> => {
  const everywhere = await tryListen(port, '::')
  // On Linux, no program can listen on all addresses while another program listens on one of them. So on Linux, the
  // test of all addresses is enough.
  if (isLinux && everywhere !== 'no such address') return everywhere === 'free'
  return everywhere !== 'taken' && (await tryListen(port, '127.0.0.1')) !== 'taken'
}

type Port = 'free' | 'taken' | 'no such address'

const tryListen = async (port: number, host: string): Promise<Port> => {
  if (bun) return listenWithBun(bun, port, host)
  // Loaded only here, because a spawn without a worktree needs no port. Loading `node:net` would take a tenth of the
  // time of such a spawn.
  const { createServer } = await import('node:net')
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(portAfter(error)))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')))
  })
}

/** Tries to listen on a port through Bun's own API, because `node:net` takes twice as long on Bun. */
const listenWithBun = ({ listen }: Bun, port: number, hostname: string): Port => {
  try {
    listen({ hostname, port, exclusive: true, socket: { data: () => undefined } }).stop(true)
    return 'free'
  } catch (error) {
    return portAfter(error)
  }
}

/**
 * Only two errors mean that the port is in use. On a machine without IPv6, another error says that the address does not
 * exist.
 */
const portAfter = (error: unknown): Port =>
  ['EADDRINUSE', 'EACCES'].includes(errnoOf(error) ?? '') ? 'taken' : 'no such address'
