import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a running PostgreSQL, up to the name of the database. */
    postgres: string
  }
}

/** One server and one cache of compiled sources for the whole run. Each worker creates its own database in the server. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  // For the processes that tests start from the sources: they start three times as fast. Not for the workers, which
  // would write to it after it was removed.
  const compiled = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-compiled-'))
  process.env['TEST_COMPILE_CACHE'] = compiled
  const address = await server.database('postgres')
  project.provide('postgres', address.slice(0, address.lastIndexOf('/')))
  return async () => {
    rmSync(compiled, { recursive: true, force: true })
    await server.stop()
  }
}
