import { statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { errnoOf } from './errno.ts'

/** Returns the bytes that this user can still write at a path, or at the nearest folder above it that exists. */
export const freeSpace = (path: string): number => {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    try {
      const { bavail, bsize } = statfsSync(at)
      return bavail * bsize
    } catch (error) {
      // The folder does not exist yet, or a folder above it may not be entered.
      if (at === '/' || errnoOf(error) === undefined) throw error
    }
  }
}

/** Whether no program listens on a port, neither for this machine alone nor for all. */
export const isPortFree = async (port: number): Promise<boolean> =>
  (await canListen(port, '127.0.0.1')) && (await canListen(port, '::'))

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    // A machine without IPv6 says that the address does not exist, which is no program that listens.
    server.once('error', (error) => resolve(!['EADDRINUSE', 'EACCES'].includes(errnoOf(error) ?? '')))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
