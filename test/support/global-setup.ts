import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a running PostgreSQL, up to the name of the database. */
    postgres: string
  }
}

/** One server for the whole run; each test file creates its own databases in it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  const address = await server.database('postgres')
  project.provide('postgres', address.slice(0, address.lastIndexOf('/')))
  return server.stop
}
