import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { addressProblem, connectionOf } from '../../src/store/postgres/address.ts'
import { data, executable, type Ran, run, runtimes, start } from '../support/cleo.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { withTemp } from '../support/temp.ts'

const password = 's3cret'

interface Refusal {
  code: string
  exit: number
  message: string
  fix?: string
  alternatives?: string[]
  retryable: boolean
}

/** Checks what holds for every refusal: it has a code and a way out, but no stack and no password. */
const refusal = ({ exit, stdout, stderr }: Ran): Refusal => {
  const { error } = JSON.parse(stdout) as { error: Refusal }
  expect(error.exit).toBe(exit)
  expect(stderr).toBe('')
  expect(stdout).not.toContain(password)
  expect(error.fix ?? error.alternatives?.[0]).toBeTruthy()
  return error
}

/** Returns the refusal of `cleo list` in a project whose data should be at this address. */
const listAt = (address: string, runtime = executable): Promise<Refusal> =>
  withTemp(async (cwd) => {
    data(run(executable, ['init'], { cwd }))
    writeFileSync(join(cwd, '.cleo/config.json'), '{"project": "abcdefgh"}')
    return refusal(await start(runtime, ['list'], { cwd, env: { CLEO_DATABASE_URL: address } }))
  })

const malformed: [string, string, string][] = [
  ['a port out of range', `postgres://ada:${password}@127.0.0.1:99999/team`, 'its port is not'],
  ['a port of letters', `postgres://ada:${password}@127.0.0.1:abc/team`, 'its port is not'],
  ['an escape that is none', `postgres://ada:${password}%ZZ@127.0.0.1/team`, 'begins no valid escape'],
  ['an escape that is no text', `postgres://ada:${password}%ff@127.0.0.1/team`, 'begins no valid escape'],
  ['no server', 'postgres://', 'it names no server'],
  ['a database but no server', `postgres:///team?password=${password}`, 'it names no server'],
  ['spaces', `postgres://ada:${password}@127.0.0.1 :5432/te am`, 'write it as %20'],
  ['a hash in the password', `postgres://ada:${password}#x@127.0.0.1/team`, '%23'],
  ['a slash in the password', `postgres://ada:${password}/x@127.0.0.1/team`, '%2F'],
  ['another kind of database', `mysql://ada:${password}@127.0.0.1/team`, 'does not begin with postgres://'],
  ['no address at all', `host=127.0.0.1 password=${password}`, 'does not begin with postgres://'],
  ['an unknown sslmode', `postgres://ada:${password}@127.0.0.1/team?sslmode=sometimes`, 'verify-full'],
]

describe('[PROJ-10] [OUT-3] a PostgreSQL address that cannot be used is refused by name', () => {
  for (const [what, address, reason] of malformed)
    test(what, async () => {
      const refused = await listAt(address)
      expect(refused).toMatchObject({ exit: 8, code: 'store.address', retryable: false })
      expect(refused.message).toContain(reason)
    })

  for (const runtime of runtimes)
    test(`a key or certificate that is not there (${runtime.name})`, async () => {
      const server = await postgresDatabase()
      for (const [file, reason] of [
        ['sslrootcert=/nowhere/ca.pem', 'there is no such file'],
        ['sslcert=/nowhere/c.pem', 'there is no such file'],
        ['sslkey=/tmp', 'it is a folder'],
      ]) {
        const refused = await listAt(`${server}?sslmode=verify-full&${file}`, runtime)
        expect(refused).toMatchObject({ exit: 8, code: 'store.key_file' })
        expect(refused.message).toContain(reason)
        expect(refused.fix).toBe(`ls -l ${file!.split('=')[1]}`)
      }
    })

  test('db move checks the address before it does anything', () =>
    withTemp(async (cwd) => {
      data(run(executable, ['init'], { cwd }))
      const moved = run(executable, ['db', 'move', '--to', `postgres://ada:${password}@h:99999/x`], { cwd })
      expect(moved.exit).toBe(6)
      expect(moved.stdout).toContain('its port is not')
      expect(moved.stdout).not.toContain(password)
    }))

  test('an ordinary address has no problem', () => {
    for (const address of [
      'postgres://ada@db.example/team',
      'postgresql://ada:p%40ss@db.example:5432/team?sslmode=require',
      'postgres://ada@[::1]:5433/team',
      'postgres://%2Fvar%2Frun%2Fpostgresql/team',
      'postgres:///team?host=/var/run/postgresql',
      'postgres://db.example',
    ])
      expect(addressProblem(address), address).toBeUndefined()
  })

  test('an address cannot lead to another schema or change the limits', () => {
    const given = connectionOf(
      'postgres://h/team?options=-c%20search_path%3Dpublic&statement_timeout=0&client_encoding=latin1&sslmode=require',
    )
    expect(given).toEqual({
      address: 'postgres://h/team?sslmode=verify-full',
      options: '-c search_path=public',
    })
  })
})

const listening = async (answer: string | undefined): Promise<{ server: Server; address: string }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (answer !== undefined) socket.on('data', () => socket.end(answer))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  return { server, address: `postgres://ada:${password}@127.0.0.1:${port}/team` }
}

describe('[PROJ-10] [OUT-3] a server that cannot be used is refused by name', () => {
  const query = async (sql: string) => {
    const client = new Client(`${inject('postgres')}/postgres`)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }

  test('one that is not PostgreSQL', async () => {
    const { server, address } = await listening('HTTP/1.1 400 Bad Request\r\n\r\n')
    const refused = await listAt(address)
    server.close()
    expect(refused).toMatchObject({ exit: 8, code: 'store.denied', retryable: false })
    expect(refused.message).toContain('the server there is not PostgreSQL')
  })

  test('one that says nothing is out of reach', async () => {
    const { server, address } = await listening(undefined)
    const refused = await listAt(address)
    server.close()
    expect(refused).toMatchObject({ exit: 7, code: 'store.unreachable', retryable: true })
  })

  test('a socket that is not there', async () => {
    const refused = await listAt(`postgres://ada:${password}@%2Fnowhere/team`)
    expect(refused).toMatchObject({ exit: 7, code: 'store.unreachable' })
  })

  test('a database in another encoding, also for init', async () => {
    const server = inject('postgres')
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const name = `cleo_${encoding.toLowerCase()}_${process.pid}`
      await query(
        `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      )
      const refused = await listAt(`${server}/${name}`)
      expect(refused).toMatchObject({ exit: 8, code: 'store.encoding' })
      expect(refused.message).toContain(`stores text in ${encoding}`)
      expect(refused.fix).toMatch(
        /^createdb --maintenance-db=\S+ --encoding=UTF8 --template=template0 \S+_utf8$/,
      )
      await withTemp(async (cwd) => {
        const made = await start(executable, ['init'], {
          cwd,
          env: { CLEO_DATABASE_URL: `${server}/${name}` },
        })
        expect(refusal(made)).toMatchObject({ exit: 8, code: 'store.encoding' })
      })
    }
  })

  test('a wrong password, and a database that is not there', async () => {
    const server = inject('postgres')
    const stranger = await listAt(server.replace('cleo@', `nobody:${password}@`).concat('/postgres'))
    expect(stranger).toMatchObject({ exit: 8, code: 'store.denied' })
    expect(stranger.fix).toMatch(/^psql postgres:\/\/nobody@\S+ -c 'SELECT 1'$/)
    const missing = await listAt(`${server}/not_there`)
    expect(missing).toMatchObject({ exit: 8, code: 'store.denied' })
    expect(missing.fix).toMatch(/^createdb --maintenance-db=\S+\/postgres not_there$/)
  })

  test('options that the server does not know', async () => {
    const refused = await listAt(`${await postgresDatabase()}?options=-c%20bogus%3D1`)
    expect(refused).toMatchObject({ exit: 8, code: 'store.denied' })
    expect(refused.message).toContain('unrecognized configuration parameter "bogus"')
  })
})
