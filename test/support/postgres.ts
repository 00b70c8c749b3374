import { Client } from 'pg'
import { inject } from 'vitest'
import { spareDatabase, spareNames } from './spare-schemas.ts'

let made: Promise<string> | undefined

/** Returns the database of this worker, for tests in which the program makes its own schemas. */
export const postgresDatabase = (): Promise<string> => {
  made ??= makeDatabase()
  return made
}

interface Spare {
  address: string
  client: Client
  names: string[]
}

let spare: Promise<Spare> | undefined

/**
 * Gives a project an empty schema that is already migrated. Returns the address of its database. No schema is used
 * twice, because the planner treats the tables of a used schema differently.
 */
export const postgresProject = async (id: string): Promise<string> => {
  spare ??= openSpare()
  const { address, client, names } = await spare
  const name = names.pop()
  if (name === undefined) {
    spare = undefined
    await client.end()
    return postgresProject(id)
  }
  await client.query(`ALTER SCHEMA ${name} RENAME TO cleo_${id}`)
  return address
}

const openSpare = async (): Promise<Spare> => {
  const address = await makeDatabase(`TEMPLATE ${spareDatabase}`)
  // The types of the package leave `unref` out.
  const client = new Client(address) as Client & { unref(): void }
  await client.connect()
  // A test worker ends without closing this client, so the client must not keep the worker alive.
  client.unref()
  return { address, client, names: [...spareNames] }
}

const makeDatabase = async (options = ''): Promise<string> => {
  const name = `cleo_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
  const server = inject('postgres')
  const client = new Client(`${server}/postgres`)
  await client.connect()
  await client.query(`CREATE DATABASE ${name} ${options}`)
  await client.end()
  return `${server}/${name}`
}
