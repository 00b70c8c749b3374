import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { EntryRef, isTask } from '../entry-ref.ts'
import * as entries from '../sql/entries.ts'
import * as rows from '../sql/links.ts'

export const links = operation({
  name: 'research.links',
  kind: 'query',
  tier: 0,
  ingests: true,
  summary: 'List the links of a task or a manifest entry.',
  input: v.strictObject({ id: describe(EntryRef, 'a task or an entry') }),
  output: () =>
    v.object({ links: v.array(v.object({ taskId: v.string(), entryId: v.string(), by: v.string() })) }),
  errors: ['task.not_found', 'entry.not_found'],
  cli: {
    command: 'research links',
    positional: ['id'],
    examples: ['cleo research links T012', 'cleo research links T012-password-hashing'],
  },
  human: ({ links }, style) =>
    links.length === 0
      ? [style.dim('No links.')]
      : style.table(
          links.map(({ taskId, entryId, by }) => [
            `${style.cyan(taskId)} ↔ ${style.cyan(entryId)}`,
            style.dim(`by ${by}`),
          ]),
          0,
        ),
  async run({ id }, { store }) {
    if (isTask(id) && !(await tasks.find(store, id))) return fail('task.not_found', { id })
    if (!isTask(id) && !(await entries.find(store, id))) return fail('entry.not_found', { id })
    const found = isTask(id) ? await rows.ofTask(store, id) : await rows.ofEntry(store, id)
    return ok({ links: found.map(({ task, entry, actor }) => ({ taskId: task, entryId: entry, by: actor })) })
  },
})
