import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clientVariables } from '../../src/kernel/actor.ts'
import { compileSources } from './compile-cache.ts'
import { startPostgres } from './postgres-server.ts'
import { makeSpareSchemas, spareDatabase } from './spare-schemas.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a running PostgreSQL, without the name of a database. */
    postgres: string
  }
}

/**
 * Starts one PostgreSQL server and fills one cache of compiled sources for all tests. Each worker creates its own
 * databases in the server.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  // Processes that tests start from the sources use this cache and start three times as fast. The test workers do not
  // use it, because they would write to it after it was removed.
  const compiled = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-compiled-'))
  process.env['TEST_COMPILE_CACHE'] = compiled
  compileSources(join(import.meta.dirname, '..', '..'), compiled)
  // Tests act as a person, but not with the trust records and the state of the developer.
  for (const name of Object.keys(clientVariables())) delete process.env[name]
  const user = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-user-'))
  process.env['XDG_CONFIG_HOME'] = user
  const state = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-state-'))
  process.env['XDG_STATE_HOME'] = state
  await makeSpareSchemas(await server.database(spareDatabase))
  const address = await server.database('postgres')
  project.provide('postgres', address.slice(0, address.lastIndexOf('/')))
  return async () => {
    for (const folder of [compiled, user, state]) rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
