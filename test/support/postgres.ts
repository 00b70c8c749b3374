import { Client } from 'pg'
import { inject } from 'vitest'

let made: Promise<string> | undefined

/** The database of this worker, on the server of this run. Each project has its own schema in it. */
export const postgresDatabase = (): Promise<string> => {
  made ??= makeDatabase(`cleo_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`)
  return made
}

const makeDatabase = async (name: string): Promise<string> => {
  const server = inject('postgres')
  const client = new Client(`${server}/postgres`)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return `${server}/${name}`
}
