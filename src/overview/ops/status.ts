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
  unreturnedSpawns,
  waitingForPeople,
  whyNothingIsReady,
} from '../epic-state.ts'

const mostAwaited = 10

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
      /** Spawns that have not returned yet. */
      awaited: v.array(v.string()),
      blocked: blockedShape(),
      /** How many items wait for a person. */
      inbox: v.number(),
      next: v.nullable(v.string()),
      why: v.optional(v.string()),
    }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'status', positional: ['epic'], examples: ['cleo status T001'] },
  human: ({ epic, stage, counts, active, awaited, blocked, inbox, next, why }, style) => [
    [
      ...(epic ? [style.cyan(epic)] : []),
      ...(stage ? [stage] : []),
      Object.entries(counts)
        .map(([status, n]) => `${n} ${status}`)
        .join(', ') || 'no tasks',
    ].join('  '),
    ...active.map(({ id, owner }) => `${style.yellow('◐')} ${style.cyan(id)} ${owner ?? ''}`.trimEnd()),
    ...(awaited.length > 0 ? [`  not returned yet: ${awaited.join(', ')}`] : []),
    ...blocked.map(({ id, why }) => `${style.red('■')} ${style.cyan(id)} ${why}`),
    ...(inbox > 0 ? [`  waiting for a person: ${inbox} (cleo inbox)`] : []),
    `  next: ${next ?? why}`,
  ],
  async run({ epic }, { store, session }) {
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const row = root === undefined ? undefined : await tasks.find(store, root)
    const { chosen, out } = await readySet(store, { root, limit: 1, shared: false, skip: 0 })
    const next = chosen[0]
    const spawned = out[0]
    return ok({
      ...(root !== undefined && { epic: root }),
      ...(row?.stage && { stage: row.stage }),
      counts: await countsOf(store, root),
      active: await firstActive(store, root),
      awaited: (await unreturnedSpawns(store, root)).slice(0, mostAwaited),
      blocked: await firstBlocked(store, root),
      inbox: await waitingForPeople(store),
      next: next?.id ?? null,
      ...(!next && {
        why: spawned ? `${spawned.id} is ${spawned.out}` : await whyNothingIsReady(store, root),
      }),
    })
  },
})
