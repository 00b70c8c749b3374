import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { epicRoot, type ReadySet } from '../../tasks/ready-set.ts'
import * as search from '../../tasks/sql/search.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { readyTasks } from '../../worktrees/ready-tasks.ts'
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
import { submittedWork } from '../submitted-work.ts'

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
      /** Done tasks whose work waits to be received and merged. */
      submitted: v.optional(v.array(v.string())),
      /** Partial tasks that were received, whose work is merged with a follow-up because its gates do not hold. */
      kept: v.optional(v.array(v.string())),
      /** Tasks that are out and whose branches already conflict. */
      conflicts: v.optional(v.array(v.object({ tasks: v.array(v.string()), files: v.array(v.string()) }))),
      blocked: blockedShape(),
      /** How many items wait for a person. */
      inbox: v.number(),
      next: v.nullable(v.string()),
      why: v.optional(v.string()),
    }),
  errors: ['task.not_found', 'epic.expected'],
  tool: ['epic'],
  cli: { command: 'status', positional: ['epic'], examples: ['cleo status T001'] },
  human: (
    { epic, stage, counts, active, out, moreOut, submitted, kept, conflicts, blocked, inbox, next, why },
    style,
  ) => [
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
    ...(submitted ?? []).map((id) => `${style.green('✓')} ${style.cyan(id)} submitted · cleo receive ${id}`),
    ...(kept ?? []).map(
      (id) => `${style.yellow('!')} ${style.cyan(id)} partial, on its own branch until a follow-up is merged`,
    ),
    ...(conflicts ?? []).map(
      ({ tasks, files }) =>
        `${style.yellow('!')} ${tasks.join(' and ')} already conflict in ${files.join(', ')}`,
    ),
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
    const found = await readyTasks(context, { root, limit: 1, skip: 0 })
    const next = found.chosen[0]
    const out = (await outLines(context, found, mostOut)).map(({ title: _, ...line }) => line)
    const moreOut = found.out.length - out.length
    const { submitted, kept } = await submittedWork(context, root, mostOut)
    const conflicts = found.out.length > 1 ? await conflictsOf(context, found) : []
    const landable = found.out.length === 0 && !next ? await search.unlanded(store, root) : undefined
    return ok({
      ...(root !== undefined && { epic: root }),
      ...(row?.stage && { stage: row.stage }),
      counts: await countsOf(store, root),
      active: await firstActive(store, root),
      out,
      ...(moreOut > 0 && { moreOut }),
      ...(submitted.length > 0 && { submitted }),
      ...(kept.length > 0 && { kept }),
      ...(conflicts.length > 0 && { conflicts }),
      blocked: await firstBlocked(store, root),
      inbox: await waitingForPeople(store),
      next: next?.id ?? null,
      ...(!next && {
        why: stepFor(submitted, landable) ?? (await whyNothingIsReady(store, root, found.out)),
      }),
    })
  },
})

/** What to do if no task is ready, but work waits to be received or landed. */
const stepFor = ([first, ...others]: readonly string[], landable: string | undefined): string | undefined => {
  if (first) return others.length > 0 ? 'cleo receive --all' : `cleo receive ${first}`
  return landable && `cleo land ${landable}`
}

/** Loaded only when needed: git merges the branches of the agents that work now, without touching any file. */
const conflictsOf = async (context: Context, { out }: ReadySet) => {
  const { conflictsBetween } = await import('../../merge/running-conflicts.ts')
  return conflictsBetween(
    context,
    out.map(({ spawn }) => spawn),
  )
}
