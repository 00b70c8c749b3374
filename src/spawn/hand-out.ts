import type { SpawnOptions, SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Fault, fail, failAll, type Ok, ok, type Result, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import { checklistCodes, claimFault, type Replaceable } from './checklist.ts'
import { type Finished, finish, word } from './finish.ts'
import { makeOutput } from './folders.ts'
import { type Gathered, gather } from './gather.ts'
import { type Prepared, prepare } from './prepare.ts'
import { promptFile, storePrompt } from './prompt-file.ts'
import { record } from './record.ts'

export const handOutCodes = [
  'task.not_found',
  ...checklistCodes,
  'skill.missing',
  'skill.twice',
  'spawn.folder',
  'tokens.unresolved',
  'budget.exceeded',
  'claim.held',
  'task.changed',
] as const
type Code = (typeof handOutCodes)[number]

export interface HandedOut {
  prepared: Prepared
  finished: Finished
  promptFile: string
  /** It was handed out before, word for word, and nobody has started on it. */
  same: boolean
}

/** Somebody else may write while the prompt is made; more often than this is not by chance. */
const mostTries = 5

/** Makes the prompt of a task's next spawn, checks it, keeps it and puts it beside the project. */
export const handOut = async (
  context: Context,
  id: string,
  asked: SpawnOptions,
  replace: Replaceable,
): Promise<Result<HandedOut, Code>> => {
  // A subagent that hands out tasks could hand its own out again, under easier rules.
  if (parseSpawnId(context.actor.id)) refuse('person.needed', { operation: 'spawn', actor: context.actor.id })
  const wishes = settled(context, asked)
  for (let tries = 0; tries < mostTries; tries++) {
    const gathered = await gather(context.store, id)
    if (!gathered) return fail('task.not_found', { id })
    const prepared = await prepare(context, gathered, wishes)
    const { finished, same } = await finishNext(context, { gathered, prepared, wishes })
    const faults: Fault<Code>[] = [
      ...prepared.faults,
      ...finished.faults,
      ...claimFault(gathered, context.actor, replace),
    ]
    if (faults[0]) return failAll([faults[0], ...faults.slice(1)])
    makeOutput(context, prepared.output)
    const kept = same
      ? await sendAgain(context, gathered.latest!)
      : await record(context, { gathered, prepared, finished, wishes, replace })
    if (!kept.ok) return kept
    if (kept.value === 'changed') continue
    if (!context.dryRun) storePrompt(context, finished)
    const { latest } = gathered
    const former =
      !same && latest?.started_at === null ? [`${latest.id} was not started and is superseded`] : []
    const warnings = [...prepared.warnings, ...former]
    return ok(
      {
        prepared: { ...prepared, warnings },
        finished,
        promptFile: promptFile(context, finished.spawnId),
        same,
      },
      { warnings: kept.warnings },
    )
  }
  return fail('task.changed', { id })
}

/** A spawn that was received before any agent started on it is out once more. */
const sendAgain = async ({ write }: Context, { id, task, hash, back_at }: SpawnRow): Promise<Ok<'kept'>> => {
  if (back_at === null) return ok('kept')
  return write(async (tx) => {
    await spawns.sendAgain(tx.db, id)
    await tx.record({ task, after: { spawn: id, hash } })
    return ok('kept')
  })
}

/** What is kept with the spawn means the same wherever the next command is run. */
const settled = ({ host }: Context, wishes: SpawnOptions): SpawnOptions =>
  wishes.worktree === undefined ? wishes : { ...wishes, worktree: resolvePath(host.cwd, wishes.worktree) }

export interface Making {
  gathered: Gathered
  prepared: Prepared
  wishes: SpawnOptions
}

/** The spawn that waits to be started, where its words would be the same; else the next attempt. */
export const finishNext = async (
  context: Context,
  { gathered: { row, latest }, prepared, wishes }: Making,
): Promise<{ finished: Finished; same: boolean }> => {
  const worded = word(context, prepared, wishes)
  if (latest?.started_at === null) {
    const finished = await finish(context, worded, wishes, latest.id)
    if (finished.hash === latest.hash) return { finished, same: true }
  }
  const attempt = (latest?.attempt ?? 0) + 1
  return { finished: await finish(context, worded, wishes, `${row.id}.${attempt}`), same: false }
}
