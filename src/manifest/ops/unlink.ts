import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { LinkInput, linkCodes, linkShape, refusedLink } from '../entry-ref.ts'
import * as links from '../sql/links.ts'

export const unlink = operation({
  name: 'research.unlink',
  kind: 'mutate',
  tier: 0,
  ingests: true,
  summary: 'Remove the link between a task and a manifest entry.',
  input: LinkInput,
  output: linkShape,
  errors: linkCodes,
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
  run: ({ task, entry }, context) =>
    context.write(async (tx) => {
      const refused = await refusedLink(context, tx.db, { task, entry })
      if (refused) return refused
      const removed = await links.remove(tx.db, task, entry)
      if (!removed) return ok({ taskId: task, entryId: entry, noChange: true as const })
      await tx.record({ task, before: { link: entry } })
      return ok({ taskId: task, entryId: entry })
    }),
})
