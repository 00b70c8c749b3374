import * as v from 'valibot'
import { numberedId } from '../../kernel/numbered-id.ts'
import { type Fault, fail, failAll, ok } from '../../kernel/result.ts'
import { limits } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, list, maxBytes, text, unicode } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { Kind } from '../memory.ts'
import * as memory from '../sql.ts'

const Text = v.pipe(v.string(), unicode(), v.trim(), v.minLength(1, 'is empty'), maxBytes(limits.note))

export const observe = operation({
  name: 'memory.observe',
  kind: 'mutate',
  tier: 0,
  summary: 'Record something that was learned, with its source.',
  input: v.strictObject({
    text: describe(Text, 'what was learned, in one or a few sentences'),
    kind: v.optional(Kind, 'observation'),
    task: v.optional(describe(list(TaskId, 'tasks', 50), 'a task that the memory concerns'), []),
    source: v.optional(
      describe(text(500), 'where you learned it: a file, a manifest entry, a URL or a command'),
    ),
  }),
  output: () =>
    v.object({
      id: v.string(),
      kind: v.picklist(memory.memoryKinds),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['task.not_found'],
  cli: {
    command: 'memory observe',
    suggestedFor: ['remember', 'learn'],
    positional: ['text'],
    examples: [
      'cleo memory observe "the mail server answers 421 under load" --task T012 --source logs/mail.txt --as T012.1',
      'cleo memory observe "money is kept in cents" --kind decision',
    ],
  },
  human: ({ id, kind, noChange }, style) => [
    `${style.cyan(id)} ${kind}${noChange ? style.dim('  already recorded') : ''}`,
  ],
  run: ({ text, kind, task: about, source = null }, { write, session, actor }) =>
    write(async (tx) => {
      const known = await tasks.findMany(tx.db, about)
      const missing = about.filter((id) => !known.has(id)).map(missingTask)
      if (missing.length > 0) return failAll(missing as [Missing, ...Missing[]])
      const before = await memory.findEqual(tx.db, { kind, text, source })
      const linked = before ? ((await memory.tasksOf(tx.db, [before.seq])).get(before.seq) ?? []) : []
      const added = about.filter((id) => !linked.includes(id))
      if (before && added.length === 0)
        return ok({ id: numberedId('M', before.seq), kind, noChange: true as const })
      const row = { kind, text, source, actor: actor.id, session: session?.id ?? null, at: tx.now }
      const seq = before?.seq ?? (await memory.insert(tx.db, row, about))
      if (before) await memory.link(tx.db, seq, added)
      const id = numberedId('M', seq)
      const after = before ? { memory: id } : { memory: id, kind, text, ...(source && { source }) }
      if (added.length === 0) await tx.record({ after })
      for (const task of added) await tx.record({ task, after })
      return ok({ id, kind })
    }),
})

type Missing = Fault<'task.not_found'>

const missingTask = (id: string): Missing => ({ path: 'task', failure: fail('task.not_found', { id }) })
