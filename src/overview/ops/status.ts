import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { epicRoot, readySet } from '../../tasks/ready-set.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import {
  activeShape,
  blockedShape,
  countsOf,
  countsShape,
  firstActive,
  firstBlocked,
  waitingForPeople,
  whyNothingIsReady,
} from '../epic-state.ts'
import { outFacts, outLines, outShape } from '../out-list.ts'

const mostOut = 10

export const status = operation({
  name: 'orchestrate.status',
  kind: 'query',
  tier: 1,
  summary: 'Show the state of the project, or of one epic, on one screen.',
  input: v.strictObject({ epic: v.optional(describe(TaskId, 'show only this epic')) }),
  output: () =>
    v.object({
      epic: v.optional(v.string()),
      stage: v.optional(v.picklist(stages)),
      counts: countsShape(),
      active: activeShape(),
      out: outShape(),
      /** How many more tasks are out. */
      moreOut: v.optional(v.number()),
      blocked: blockedShape(),
      /** How many items wait for a person. */
      inbox: v.number(),
      next: v.nullable(v.string()),
      why: v.optional(v.string()),
    }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'status', positional: ['epic'], examples: ['cleo status T001'] },
  human: ({ epic, stage, counts, active, out, moreOut, blocked, inbox, next, why }, style) => [
    [
      ...(epic ? [style.cyan(epic)] : []),
      ...(stage ? [stage] : []),
      Object.entries(counts)
        .map(([status, n]) => `${n} ${status}`)
        .join(', ') || 'no tasks',
    ].join('  '),
    ...active
      .filter(({ id }) => !out.some((each) => each.id === id))
      .map(({ id, owner }) => `${style.yellow('◐')} ${style.cyan(id)} ${owner ?? ''}`.trimEnd()),
    ...out.map(
      (each) =>
        `${each.unstarted ? style.dim('○') : style.yellow('◐')} ${style.cyan(each.id)} ${outFacts(each)}`,
    ),
    ...(moreOut ? [`  and ${moreOut} more are out`] : []),
    ...blocked.map(({ id, why }) => `${style.red('■')} ${style.cyan(id)} ${why}`),
    ...(inbox > 0 ? [`  waiting for a person: ${inbox} (cleo inbox)`] : []),
    `  next: ${next ?? why}`,
  ],
  async run({ epic }, context) {
    const { store, session } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const row = root === undefined ? undefined : await tasks.find(store, root)
    const found = await readySet(store, { root, limit: 1, shared: false, skip: 0 })
    const next = found.chosen[0]
    const out = (await outLines(context, found, mostOut)).map(({ title: _, ...line }) => line)
    const moreOut = found.out.length - out.length
    return ok({
      ...(root !== undefined && { epic: root }),
      ...(row?.stage && { stage: row.stage }),
      counts: await countsOf(store, root),
      active: await firstActive(store, root),
      out,
      ...(moreOut > 0 && { moreOut }),
      blocked: await firstBlocked(store, root),
      inbox: await waitingForPeople(store),
      next: next?.id ?? null,
      ...(!next && { why: await whyNothingIsReady(store, root, found.out) }),
    })
  },
})
