import { fail, ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { LinkInput, linkShape } from '../entry-ref.ts'
import * as entries from '../sql/entries.ts'
import * as links from '../sql/links.ts'

export const link = operation({
  name: 'research.link',
  kind: 'mutate',
  tier: 0,
  ingests: true,
  summary: 'Link a task to a manifest entry.',
  input: LinkInput,
  output: linkShape,
  errors: ['task.not_found', 'entry.not_found'],
  cli: {
    command: 'research link',
    positional: ['task', 'entry'],
    examples: ['cleo research link T012 T012-password-hashing --as T012.1'],
  },
  human: ({ taskId, entryId, noChange }, style) => [
    noChange
      ? `${style.cyan(taskId)} and ${style.cyan(entryId)} were already linked.`
      : `${style.cyan(taskId)} ↔ ${style.cyan(entryId)}`,
  ],
  run: ({ task, entry }, { actor, write }) =>
    write(async (tx) => {
      if (!(await tasks.find(tx.db, task))) return fail('task.not_found', { id: task })
      if (!(await entries.find(tx.db, entry))) return fail('entry.not_found', { id: entry })
      const added = await links.add(tx.db, { task, entry, at: tx.now, actor: actor.id })
      if (!added) return ok({ taskId: task, entryId: entry, noChange: true as const })
      await tx.record({ task, after: { link: entry } })
      return ok({ taskId: task, entryId: entry })
    }),
})
