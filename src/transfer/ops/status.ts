import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { statuses } from '../../kernel/task.ts'
import { operation } from '../../operation/operation.ts'
import type { StoreStatus } from '../../store/port.ts'
import { totalOf } from '../../tasks/sql/counts.ts'

export const status = operation({
  name: 'admin.db.status',
  kind: 'query',
  tier: 2,
  summary: 'Show which database holds the data, its size and its latency.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      store: v.picklist(['sqlite', 'postgres']),
      /** The path or address of the database. */
      where: v.string(),
      /** Version of SQLite or PostgreSQL. */
      version: v.string(),
      /** Version of the database schema. */
      schema: v.number(),
      tasks: v.number(),
      bytes: v.number(),
      /** How long one query takes, in milliseconds. */
      latency: v.number(),
    }),
  errors: [],
  cli: { command: 'db status', examples: ['cleo db status'] },
  human: ({ store, where, version, schema, tasks, bytes, latency }, style) => [
    `${style.bold(store === 'sqlite' ? 'SQLite' : 'PostgreSQL')} ${version}  ${style.cyan(where)}`,
    `  schema ${schema} · ${tasks} ${tasks === 1 ? 'task' : 'tasks'} · ${Math.ceil(bytes / 1024)} KiB · answers in ${latency} ms`,
  ],
  async run(_, { store, host }) {
    const asked = host.now()
    const { version, schema, bytes } = (await store.get<StoreStatus>(store.dialect.status))!
    const latency = host.now() - asked
    const tasks = await totalOf(store, statuses, undefined)
    return ok({ store: store.dialect.name, where: store.where, version, schema, tasks, bytes, latency })
  },
})
