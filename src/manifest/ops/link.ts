import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { LinkInput, linkCodes, linkShape, refusedLink } from '../entry-ref.ts'
import * as links from '../sql/links.ts'

export const link = operation({
  name: 'research.link',
  kind: 'mutate',
  tier: 0,
  ingests: true,
  summary: 'Link a task to a manifest entry.',
  input: LinkInput,
  output: linkShape,
  errors: linkCodes,
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
  run: ({ task, entry }, context) =>
    context.write(async (tx) => {
      const refused = await refusedLink(context, tx.db, { task, entry })
      if (refused) return refused
      const added = await links.add(tx.db, { task, entry, at: tx.now, actor: context.actor.id })
      if (!added) return ok({ taskId: task, entryId: entry, noChange: true as const })
      await tx.record({ task, after: { link: entry } })
      return ok({ taskId: task, entryId: entry })
    }),
})
