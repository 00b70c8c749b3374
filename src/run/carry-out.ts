import type { AgentEnd, AgentKind } from '../agent-processes/agent.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { inputLimits } from '../kernel/input-limits.ts'
import { limits } from '../kernel/task.ts'
import * as quarantine from '../manifest/sql/quarantine.ts'
import type { CallingContext } from '../operation/context.ts'
import type { Happening, Refusal, Step } from '../schedule/run-state.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { failureClass } from './failure-class.ts'
import type { Ledger } from './ledger.ts'
import { type MergeTask, mergesTogether, type Received, type RefusedReceive } from './merges-together.ts'
import { canContinue } from './own-session.ts'
import { type RunOptions, sandboxOf } from './run-options.ts'
import * as runs from './sql.ts'

type CallStep = Extract<Step, { kind: 'look' | 'spawn' | 'receive' | 'ask' | 'failed' }>
/** Carries out one step with the operations that a person would use. Returns the result as an event. */
export type Carrier = (step: CallStep, spawn: string | undefined) => Promise<Happening | undefined>

export interface CarrierOptions {
  context: CallingContext
  kind: Pick<AgentKind, 'resumes'>
  run: { id: string; epic: string }
  options: Pick<RunOptions, 'verify' | 'plan'>
  ledger: Ledger
}

export const carrierOf = (given: CarrierOptions): Carrier => {
  const { ledger } = given
  const merge = mergesTogether((tasks) =>
    given.context.call('orchestrate.receive', { tasks }, given.run.id, sandboxOf(given.options)),
  )
  let receiving = 0
  const receiveNext = async (step: Extract<Step, { kind: 'receive' }>): Promise<Happening> => {
    const isAlone = receiving === 0
    receiving++
    try {
      return await receive(given, step, isAlone ? undefined : merge)
    } finally {
      receiving--
    }
  }
  return async (step, spawn) => {
    switch (step.kind) {
      case 'look':
        return look(given, step.limit)
      case 'spawn':
        return spawnTask(given, step)
      case 'receive':
        return receiveNext(step)
      case 'ask':
        return ask(given, step, spawn)
      case 'failed': {
        const { task, spawn, why, attempt } = step
        await ledger.record({ kind: 'failed', task, ...(spawn && { spawn }), data: { why, attempt } })
        return undefined
      }
    }
  }
}

const look = async ({ context, run, options }: CarrierOptions, limit: number): Promise<Happening> => {
  const found = await context.call(
    'orchestrate.ready',
    { epic: run.epic, limit: Math.min(limit, 1000) },
    run.id,
  )
  // If the store cannot be read now, go on as if no task were ready. The run looks again after the next change.
  const { tasks } = found.ok ? (found.value as { tasks: { id: string }[] }) : { tasks: [] }
  // While the epic is being split, only the epic itself is worked on.
  const chosen = options.plan ? tasks.filter(({ id }) => id === run.epic) : tasks
  return { kind: 'looked', ready: chosen.map(({ id }) => id) }
}

const spawnTask = async (
  { context, run, ledger }: CarrierOptions,
  { task, continued }: Extract<Step, { kind: 'spawn' }>,
): Promise<Happening> => {
  const last = await spawns.latest(context.store, task)
  const isAgain = last !== undefined && (last.started_at !== null || last.back_at !== null)
  await ledger.record({ kind: 'spawn', task, data: { ...(isAgain && { again: true }) } })
  const input = { id: task, ref: true }
  const call = (more: object) =>
    context.call(isAgain ? 'orchestrate.respawn' : 'orchestrate.spawn', { ...input, ...more }, run.id)
  const found = await call(isAgain && continued ? { continue: true } : {})
  if (!found.ok) return refusedAt(ledger, task, 'spawn', found)
  const { spawnId, protocol } = found.value as { spawnId: string; protocol: string }
  await ledger.note({ kind: 'spawned', task, spawn: spawnId, data: { protocol } })
  return { kind: 'spawned', task, spawn: spawnId }
}

/**
 * Checks the work of one agent and merges it. If other work is already being received, the caller passes the function
 * `merge`, which merges this work together with other waiting work.
 */
const receive = async (
  { context, kind: agentKind, run, ledger, options }: CarrierOptions,
  { task, spawn }: Extract<Step, { kind: 'receive' }>,
  merge: MergeTask | undefined,
): Promise<Happening> => {
  await ledger.record({ kind: 'receive', task, spawn })
  const row = await runs.agentOf(context.store, spawn)
  const end = row?.ending ? (JSON.parse(row.ending) as AgentEnd) : undefined
  const received = { spawn, end, canContinue: canContinue(agentKind, row) }
  const message = end?.lastMessage?.slice(-inputLimits.message / 4)
  const input = { id: task, ...(merge && { noMerge: true }), ...(message && { message }) }
  const checked = await context.call('orchestrate.receive', input, run.id, sandboxOf(options))
  if (!checked.ok) return refusedAt(ledger, task, 'receive', checked, received)
  const isPending = merge && (await tasks.find(context.store, task))?.merge === 'pending'
  if (isPending) await ledger.note({ kind: 'checked', task, spawn })
  const found = isPending ? await merge(task) : (checked.value as Received)
  if ('code' in found) return refusedAt(ledger, task, 'receive', found, received)
  const { outcome, merge: merged, why, skill } = found
  // If the agent wrote a second entry, mention that in the report. One entry of this task was accepted, so a line
  // about this task in the quarantine is a second entry.
  const second = row && (await quarantine.reasonFor(context.store, { task, at: Number(row.at) }))
  const kind = outcome === 'complete' || outcome === 'partial' ? 'merged' : outcome
  await ledger.record({
    ...{ kind, task, spawn },
    data: {
      ...{ outcome, ...(merged && { merge: merged }), ...(why && { why }), ...(skill && { skill }) },
      ...(second && { remarks: [`wrote a second entry, which was not used: ${second}`] }),
    },
  })
  return { kind: 'received', task, outcome }
}

/**
 * Blocks a task, so that the inbox shows it. If the task has a spawn, blocks the task in the name of that spawn, so
 * that the spawn counts as returned and the task can be started again later.
 */
const ask = async (
  { context, run, ledger }: CarrierOptions,
  { task, reason }: Extract<Step, { kind: 'ask' }>,
  spawn: string | undefined,
): Promise<Happening> => {
  await ledger.record({ kind: 'ask', task, ...(spawn && { spawn }), data: { reason } })
  const input = { id: task, reason: reason.slice(0, limits.reason).toWellFormed() }
  const own = spawn ? await context.call('tasks.block', input, spawn) : undefined
  const found = own?.ok ? own : await context.call('tasks.block', input, run.id)
  return found.ok ? { kind: 'asked', task } : refusedAt(ledger, task, 'ask', found)
}

const refusedAt = async (
  ledger: Ledger,
  task: string,
  during: 'spawn' | 'receive' | 'ask',
  failure: RefusedReceive,
  received: { spawn?: string; end?: AgentEnd | undefined; canContinue?: boolean } = {},
): Promise<Happening> => {
  const { code, exit, message, retryable } = failure
  // A refusal that only asks the run to wait is not a failed attempt.
  const isWait = retryable && code !== 'task.changed'
  const what = during === 'receive' && !isWait ? failureClass(failure, received.end) : undefined
  const { spawn } = received
  await ledger.record({
    ...{ kind: `${during} refused`, task },
    ...(spawn && { spawn }),
    data: { code, exit, message, ...(what && { class: what }) },
  })
  const refusal: Refusal = {
    ...{ code, retryable, message: what === undefined ? message : `${what}: ${message}` },
    ...(received.canContinue && { canContinue: true }),
  }
  return { kind: 'refused', task, during, refusal }
}
