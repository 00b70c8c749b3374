import { connect } from 'node:net'

/** The request for an encrypted connection. Every PostgreSQL server answers it with one letter: S, N or E. */
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const waitMs = 1500

/**
 * Whether a server answers, but not as PostgreSQL does. False for a server that does not answer, because it may be a
 * PostgreSQL server with a problem.
 */
export const isOtherServer = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: waitMs })
    const end = (isOther: boolean): void => {
      socket.destroy()
      resolve(isOther)
    }
    socket.on('connect', () => socket.write(request))
    socket.on('data', (answer) => end(!'SNE'.includes(String.fromCharCode(answer[0]!))))
    for (const event of ['timeout', 'error', 'close']) socket.on(event, () => end(false))
  })
