import * as v from 'valibot'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute } from '../../kernel/time.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { brief } from '../../print/brief.ts'
import { handOverShape, lastHandOver } from '../../sessions/hand-over.ts'
import * as sessions from '../../sessions/sql.ts'
import type { TaskRow } from '../../store/rows.ts'
import { drawLines } from '../../task-lists/draw-tasks.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { budget } from '../context-usage.ts'
import { countsOf, countsShape } from '../counts.ts'
import { blockedShape, firstBlocked, firstReady, readyShape } from '../epic-state.ts'

const fewBlocked = 3

export const start = operation({
  name: 'orchestrate.start',
  kind: 'mutate',
  tier: 1,
  summary: "Start a session for an epic and show the epic's state.",
  input: v.strictObject({ epic: describe(TaskId, 'the epic to lead') }),
  output: () =>
    v.object({
      session: v.string(),
      epic: v.string(),
      title: v.string(),
      stage: v.optional(v.picklist(stages())),
      counts: countsShape(),
      ready: readyShape(),
      blocked: v.optional(blockedShape()),
      /** The note with which an earlier session handed over. */
      handOver: v.optional(handOverShape()),
      note: v.string(),
      then: v.string(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'start', positional: ['epic'], examples: ['cleo start T001'] },
  human: ({ session, epic, title, ready, blocked, handOver, then, noChange }, style) => [
    `${style.cyan(session)} ${noChange ? 'continues' : 'leads'} ${style.cyan(epic)} ${style.bold(title)}`,
    `  export CLEO_SESSION_ID=${session}`,
    ...(ready.length > 0 ? drawLines(ready, style) : [style.dim('  No task is ready.')]),
    ...(blocked ?? []).map(({ id, why }) => `${style.red('■')} ${style.cyan(id)} ${why}`),
    ...(handOver
      ? [
          `  hand-over of ${handOver.by}, ${formatMinute(handOver.at)}: ${handOver.note}`,
          ...(handOver.rest ? [`  whole note: ${handOver.rest}`] : []),
        ]
      : []),
    `  then: ${then}`,
  ],
  async run({ epic }, context) {
    const { store } = context
    const row = await tasks.find(store, epic)
    if (!row) return fail('task.not_found', { id: epic })
    if (row.type !== 'epic') return fail('epic.expected', { id: epic, type: row.type, epic: row.root })
    const session = await startSession(context, row)
    if (!session.ok) return session
    const { id, noChange } = session.value
    const handOver = await lastHandOver(store, epic)
    const blocked = (await firstBlocked(store, epic)).slice(0, fewBlocked)
    return ok(
      {
        session: id,
        epic,
        title: brief(row.title, 80),
        ...(row.stage && { stage: row.stage }),
        counts: await countsOf(store, epic),
        ready: await firstReady(context, epic),
        ...(blocked.length > 0 && { blocked }),
        ...(handOver && { handOver }),
        note: `Pass --session ${id} to every command, or set CLEO_SESSION_ID. Their output counts towards the limit of ${budget} tokens.`,
        then: `cleo next --session ${id}`,
        ...(noChange && { noChange }),
      },
      { warnings: session.warnings },
    )
  },
})

type StartedSession = { id: string; noChange?: true }

/** Each actor has one session per epic. Starting again continues that session. */
const startSession = ({ host, actor, write }: Context, { id: epic, title }: TaskRow) =>
  write(async (tx): Promise<Failure<never> | ReturnType<typeof ok<StartedSession>>> => {
    const active = await sessions.activeOf(tx.db, actor.id, epic)
    if (active) return ok({ id: active.id, noChange: true as const })
    const id = `ses_${host.randomId(12)}`
    await sessions.insert(tx.db, { id, name: title, scope: epic, actor: actor.id, started_at: tx.now })
    await tx.record({ after: { session: id, epic } })
    tx.emit('session.started')
    return ok({ id })
  })
