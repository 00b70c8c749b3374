import * as v from 'valibot'
import { waitingForPeople } from '../../inbox/count-items.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { lastHandOver } from '../../sessions/hand-over.ts'
import * as sessions from '../../sessions/sql.ts'
import type { Db } from '../../store/port.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import { page } from '../../tasks/sql/list.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { readyTasks } from '../../worktrees/ready-tasks.ts'
import { countsOf } from '../counts.ts'
import { firstActive, firstBlocked, readyLines } from '../epic-state.ts'
import { outLines } from '../out-list.ts'
import { type PrimeState, primeText } from '../prime-text.ts'

const few = { epics: 3, ready: 5, active: 3, blocked: 3, out: 8 }

export const prime = operation({
  name: 'orchestrate.prime',
  kind: 'query',
  tier: 1,
  summary: "Print an orchestrator's instructions: role, rules, steps and state.",
  input: v.strictObject({ epic: v.optional(describe(TaskId, 'the epic to lead')) }),
  output: () => v.object({ document: v.string() }),
  errors: ['task.not_found', 'epic.expected'],
  cli: {
    command: 'prime',
    positional: ['epic'],
    examples: ['cleo prime T001'],
    document: ({ document }) => document,
  },
  human: ({ document }) => [document],
  async run({ epic }, context) {
    const { store, session } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    return ok({ document: primeText(await rulesOf(), await stateOf(context, root)) })
  },
})

/** Reads the rules from the orchestrator skill, so that they are written in only one place. */
const rulesOf = async (): Promise<string[]> => {
  const { skill } = await import('../../skills/generated/skills/ct-orchestrator.ts')
  return skill.body.split('\n').filter((line) => line.startsWith('- ORC-'))
}

const stateOf = async (context: Context, wantedEpic: string | undefined): Promise<PrimeState> => {
  const { store, actor, session } = context
  const epics = await epicsOf(store, wantedEpic)
  const root = epics.length === 1 ? epics[0]!.id : wantedEpic
  const own = session ?? (root === undefined ? undefined : await sessions.activeOf(store, actor.id, root))
  const handOver = await lastHandOver(store, root)
  const found = await readyTasks(context, { root, limit: few.ready, skip: 0 })
  return {
    epics,
    ...(own?.status === 'active' && { session: own.id }),
    ...(handOver && { handOver }),
    counts: await countsOf(store, root),
    ready: readyLines(found),
    active: (await firstActive(store, root, found)).slice(0, few.active),
    out: await outLines(context, found, few.out),
    blocked: (await firstBlocked(store, root)).slice(0, few.blocked),
    inbox: await waitingForPeople(store),
  }
}

const epicsOf = async (db: Db, root: string | undefined): Promise<PrimeState['epics']> => {
  const found =
    root === undefined
      ? (await page(db, { type: 'epic', open: true, limit: few.epics })).map(({ id }) => id)
      : [root]
  const rows = await tasks.findMany(db, found)
  return found.map((id) => {
    const { title, stage } = rows.get(id)!
    return { id, title, ...(stage && { stage }) }
  })
}
