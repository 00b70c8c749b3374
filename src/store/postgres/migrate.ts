import type { Client } from 'pg'
import { refuse } from '../../kernel/result.ts'
import { migrations } from '../generated/migrations.ts'
import { schemaVersion } from '../generated/schema-version.ts'
import { createCommand, databaseOf } from './address.ts'

/**
 * Finds or creates the project's schema and migrates it, under one advisory lock. If many processes start at once,
 * one of them migrates and the others find the schema up to date.
 */
export const prepareSchema = async (
  client: Client,
  schema: string,
  { where, create }: Preparation,
): Promise<void> => {
  const { server, encoding, version: found } = await stateOf(client)
  if (server < oldest)
    refuse('store.outdated', { where, found: String(Math.floor(server / 10000)), oldest: '13' })
  if (found === schemaVersion) return
  if (found !== undefined && found > schemaVersion)
    refuse('store.newer', { path: where, found, known: schemaVersion })
  if (found === undefined && encoding !== 'UTF8') {
    const fix = createCommand(where, `${databaseOf(where)}_utf8`, ' --encoding=UTF8 --template=template0')
    refuse('store.encoding', { where, encoding, fix })
  }
  if (found === undefined && !create) refuse('store.empty', { where, project: schema.slice('cleo_'.length) })
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [schema])
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)')
    const from =
      (await client.query('SELECT max(version) AS version FROM schema_version')).rows[0].version ?? 0
    for (const { version, sql } of migrations.postgres) {
      if (version <= from) continue
      await client.query(sql)
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [version])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

interface Preparation {
  where: string
  create: boolean
}

/** The oldest supported server version. Older ones lack functions that CLEO calls, such as `pg_xact_status`. */
const oldest = 130000
const undefinedTable = '42P01'

interface ServerState {
  server: number
  encoding: string
  version?: number
}

const stateOf = async (client: Client): Promise<ServerState> => {
  const server =
    "current_setting('server_version_num')::int AS server, current_setting('server_encoding') AS encoding"
  try {
    const { rows } = await client.query(`SELECT ${server}, max(version) AS version FROM schema_version`)
    return { ...rows[0], version: rows[0].version ?? undefined }
  } catch (error) {
    if ((error as { code?: string }).code !== undefinedTable) throw error
    return (await client.query(`SELECT ${server}`)).rows[0]
  }
}
