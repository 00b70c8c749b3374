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

/** Ids of projects whose schemas were emptied, so that the next test does not have to create sixty relations. */
const emptied: string[] = []
/** How a schema that a test left as it found it is described. */
let untouched: string | undefined

/** Runs a test with the id of its project. If the test passes, a later one gets the same schema, emptied. */
export const withSchema = async <T>(work: (address: string, project: string) => Promise<T>): Promise<T> => {
  const address = await postgresDatabase()
  const project = emptied.pop() ?? randomId()
  const result = await work(address, project)
  const client = new Client(address)
  await client.connect()
  try {
    const { rows } = await client.query(shapeOf, [`cleo_${project}`])
    untouched ??= rows[0].shape
    // A test that dropped an index or moved to another store keeps its schema for itself.
    if (rows[0].shape === untouched) {
      await client.query(emptySchema.replaceAll('<schema>', `cleo_${project}`))
      emptied.push(project)
    }
  } finally {
    await client.end()
  }
  return result
}

const randomId = (): string =>
  Array.from({ length: 12 }, () => Math.floor(Math.random() * 36).toString(36)).join('')

/** Describes the tables, columns, indexes, triggers and constraints of a schema. */
const shapeOf = `SELECT concat(
    (SELECT string_agg(c.relkind::text || c.relname::text, ',' ORDER BY c.relname) FROM pg_class c WHERE c.relnamespace = n.oid), ';',
    (SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = n.oid AND NOT a.attisdropped), ';',
    (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = n.oid AND t.tgenabled = 'O'), ';',
    (SELECT count(*) FROM pg_constraint k WHERE k.connamespace = n.oid)) AS shape
  FROM (SELECT to_regnamespace($1)::oid AS oid) n`

/** Empties every table without firing triggers, and restores the one row that a new schema has. */
const emptySchema = `
  BEGIN;
  SET LOCAL session_replication_role = replica;
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT relname, relkind FROM pg_class WHERE relnamespace = '<schema>'::regnamespace AND relkind IN ('r', 'S') LOOP
      IF each.relkind = 'S' THEN PERFORM setval(format('<schema>.%I', each.relname)::regclass, 1, false);
      ELSIF each.relname <> 'schema_version' THEN EXECUTE format('DELETE FROM <schema>.%I', each.relname);
      END IF;
    END LOOP;
  END $$;
  INSERT INTO <schema>.counters (name, value) VALUES ('task', 0);
  COMMIT`
