import { fail, ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { LinkInput, linkShape } from '../entry-ref.ts'
import * as entries from '../sql/entries.ts'
import * as links from '../sql/links.ts'

export const unlink = operation({
  name: 'research.unlink',
  kind: 'mutate',
  tier: 0,
  ingests: true,
  summary: 'Remove the link between a task and a manifest entry.',
  input: LinkInput,
  output: linkShape,
  errors: ['task.not_found', 'entry.not_found'],
  cli: {
    command: 'research unlink',
    positional: ['task', 'entry'],
    examples: ['cleo research unlink T012 T012-password-hashing'],
  },
  human: ({ taskId, entryId, noChange }, style) => [
    noChange
      ? `${style.cyan(taskId)} and ${style.cyan(entryId)} were not linked.`
      : `${style.cyan(taskId)} and ${style.cyan(entryId)} are no longer linked.`,
  ],
  run: ({ task, entry }, { write }) =>
    write(async (tx) => {
      if (!(await tasks.find(tx.db, task))) return fail('task.not_found', { id: task })
      if (!(await entries.find(tx.db, entry))) return fail('entry.not_found', { id: entry })
      const removed = await links.remove(tx.db, task, entry)
      if (!removed) return ok({ taskId: task, entryId: entry, noChange: true as const })
      await tx.record({ task, before: { link: entry } })
      return ok({ taskId: task, entryId: entry })
    }),
})
