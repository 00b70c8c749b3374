import * as v from 'valibot'
import { waitingForPeople } from '../../inbox/count-items.ts'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import { countsText } from '../../task-lists/draw-tasks.ts'
import { epicRoot, type ReadySet } from '../../tasks/ready-set.ts'
import * as search from '../../tasks/sql/search.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { readyTasks } from '../../worktrees/ready-tasks.ts'
import { countsOf, countsShape } from '../counts.ts'
import { activeShape, blockedShape, firstActive, firstBlocked, whyNothingIsReady } from '../epic-state.ts'
import { outFacts, outLines, outShape, workLine } from '../out-list.ts'
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
      stage: v.optional(v.picklist(stages())),
      counts: countsShape(),
      active: activeShape(),
      out: outShape(),
      /** How many tasks are out besides those in the list. */
      moreOut: v.optional(v.number()),
      /** Done tasks whose work waits to be received and merged. */
      submitted: v.optional(v.array(v.string())),
      /**
       * Tasks whose partial work was received, but whose gates do not hold. The work is merged later, together with the
       * work of a follow-up.
       */
      kept: v.optional(v.array(v.string())),
      /** Tasks that are out and whose branches already conflict with each other. */
      conflicts: v.optional(v.array(v.object({ tasks: v.array(v.string()), files: v.array(v.string()) }))),
      blocked: blockedShape(),
      /** How many items wait for a person. */
      inbox: v.number(),
      next: v.nullable(v.string()),
      why: v.optional(v.string()),
    }),
  errors: ['task.not_found', 'epic.expected'],
  tool: ['epic'],
  cli: {
    command: 'status',
    suggestedFor: ['st', 'dashboard', 'ps', 'top'],
    positional: ['epic'],
    examples: ['cleo status T001'],
  },
  human: (
    { epic, stage, counts, active, out, moreOut, submitted, kept, conflicts, blocked, inbox, next, why },
    style,
  ) => [
    [
      ...(epic ? [style.cyan(epic)] : []),
      ...(stage ? [stage] : []),
      countsText(counts).join(', ') || (epic ? 'no tasks' : 'No tasks yet.'),
    ].join('  '),
    ...active
      .filter(({ id }) => !out.some((each) => each.id === id))
      .map(({ id, owner }) => line(id, style.yellow('◐'), owner ?? '', style)),
    ...out.map((each) =>
      line(each.id, each.unstarted ? style.dim('○') : style.yellow('◐'), outFacts(each), style),
    ),
    ...(moreOut ? [`  and ${moreOut} more are out`] : []),
    ...(submitted ?? []).map((id) => line(id, style.green('✓'), `submitted · cleo receive ${id}`, style)),
    ...(kept ?? []).map((id) =>
      line(id, style.yellow('!'), 'partial, on its own branch until a follow-up is merged', style),
    ),
    ...(conflicts ?? []).map(
      ({ tasks, files }) =>
        `${style.yellow('!')} ${tasks.join(' and ')} already conflict in ${files.join(', ')}`,
    ),
    ...blocked.map(({ id, why }) =>
      line(id, style.red('■'), style.width === undefined ? why : style.note(id), style),
    ),
    ...(inbox > 0 ? [`  waiting for a person: ${inbox} (cleo inbox)`] : []),
    `  ${next ? `next: cleo next ${style.dim(`(${next})`)}` : why?.startsWith('cleo ') ? `next: ${why}` : why}`,
  ],
  async run({ epic }, context) {
    const { store, session } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const row = root === undefined ? undefined : await tasks.find(store, root)
    const found = await readyTasks(context, { root, limit: 1, skip: 0 })
    const next = found.chosen[0]
    const out =
      found.out.length === 0
        ? []
        : (await outLines(context, found, mostOut)).map(({ title: _, ...line }) => line)
    const moreOut = found.out.length - out.length
    const { submitted, kept } = await submittedWork(context, root, mostOut)
    const conflicts = found.out.length > 1 ? await conflictsOf(context, found) : []
    const landable = found.out.length === 0 && !next ? await search.unlanded(store, root) : undefined
    const notes = new Map<string, string>()
    const answer = {
      ...(root !== undefined && { epic: root }),
      ...(row?.stage && { stage: row.stage }),
      counts: await countsOf(store, root),
      active: await firstActive(store, root, found),
      out,
      ...(moreOut > 0 && { moreOut }),
      ...(submitted.length > 0 && { submitted }),
      ...(kept.length > 0 && { kept }),
      ...(conflicts.length > 0 && { conflicts }),
      blocked: await firstBlocked(store, root, notes),
      inbox: await waitingForPeople(store),
      next: next?.id ?? null,
      ...(!next && {
        why:
          (await stepFor(store, root, submitted, landable)) ??
          stepOf(await whyNothingIsReady(store, root, found.out)),
      }),
    }
    const named = [...answer.active, ...out, ...answer.blocked].map(({ id }) => id)
    const titles = await search.titlesOf(store, [...named, ...submitted, ...kept])
    return ok(answer, { titles, notes })
  },
})

/** Only a terminal gets titles. An orchestrator reads a pipe and knows its tasks by their ids. */
const line = (id: string, mark: string, facts: string, style: Style): string =>
  `${mark} ${workLine(id, style.width === undefined ? '' : style.title(id), facts, style)}`

const stepOf = ({ why, then }: { why: string; then?: string }): string => then ?? why

/** What to do if no task is ready, but work waits to be received, completed or landed. */
const stepFor = async (
  db: Db,
  root: string | undefined,
  [first, ...others]: readonly string[],
  landable: string | undefined,
): Promise<string | undefined> => {
  if (first) return others.length > 0 ? 'cleo receive --all' : `cleo receive ${first}`
  const finished = await search.finishedParent(db, root)
  if (finished) return finished.then
  return landable && `cleo land ${landable}`
}

/**
 * Finds conflicts between the branches of the tasks that are out. For this, git merges the branches without changing
 * any file. The code is loaded only if several tasks are out.
 */
const conflictsOf = async (context: Context, { out }: ReadySet) => {
  const { conflictsBetween } = await import('../../merge/running-conflicts.ts')
  return conflictsBetween(
    context,
    out.map(({ spawn }) => spawn),
  )
}
