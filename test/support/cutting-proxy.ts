import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  /** The address at which a client reaches the database through the proxy. */
  address: string
  /** Cuts the connection of the next client that sends these words, before or after the words reach the server. */
  cutAt(words: string, when: 'before' | 'after'): void
  /** How many connections the proxy has cut. */
  cuts(): number
  close(): Promise<void>
}

/** Starts a proxy between a client and PostgreSQL that cuts the connection at a point that the test chooses. */
export const cuttingProxy = async (target: string): Promise<CuttingProxy> => {
  const url = new URL(target)
  const [port, host] = [Number(url.port), url.hostname]
  const sockets = new Set<Socket>()
  let plan: { words: string; when: 'before' | 'after' } | undefined
  let cuts = 0
  const server = createServer((client) => {
    const upstream = connect(port, host)
    const cut = () => {
      client.destroy()
      upstream.end()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => sockets.delete(socket))
    }
    upstream.on('data', (chunk) => client.write(chunk))
    upstream.on('end', () => client.end())
    client.on('close', () => upstream.end())
    client.on('data', (chunk) => {
      const hit = plan && chunk.includes(plan.words) ? plan : undefined
      if (hit) {
        plan = undefined
        cuts++
        if (hit.when === 'before') return cut()
      }
      upstream.write(chunk)
      // The words have reached the server, but the client never gets the answer.
      if (hit) client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.port = String((server.address() as { port: number }).port)
  return {
    address: url.href,
    cutAt: (words, when) => {
      plan = { words, when }
    },
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
