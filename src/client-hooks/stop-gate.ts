import * as audit from '../audit/sql.ts'
import { agentsOf, lastChange, type SpawnAgent, setAgent } from '../claims/sql/spawn-agents.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Host } from '../host/host.ts'
import { readReply, returnLines, returnWords } from '../kernel/return-line.ts'
import * as entries from '../manifest/sql/entries.ts'
import { connect } from '../perform/connection.ts'
import type { Store } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'
import { tokensIn } from './transcript.ts'

/**
 * After this many refusals CLEO lets the agent stop. CLEO must count, because some clients would call the stop hook
 * again without limit.
 */
const mostRefusals = 5
const mostWithoutProgress = 3

/** CLEO does not count the tokens of conversations that are longer than this. */
const mostTranscriptBytes = 64 * 1024 * 1024

export const stopGate = async (
  host: Host,
  spawn: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> =>
  judgeStop(await connect({ host, wait: 'block' }).store(), host, spawn, event)

/**
 * Decides whether an agent may stop. The agent works on one of several spawns, but CLEO does not know on which one. So
 * CLEO lets the agent stop if the work of at least one spawn allows it. In that case, `free` is the id of that spawn.
 */
export const stopGateOfOne = async (
  host: Host,
  ids: readonly string[],
  event: HookEvent,
): Promise<{ free?: string; answer?: HookAnswer }> => {
  const store = await connect({ host, wait: 'block' }).store()
  for (const id of ids) {
    const state = await stopState(store, host, id, event)
    if (!state?.holds) return { free: id }
  }
  const reasons: string[] = []
  for (const id of ids) {
    const answer = await judgeStop(store, host, id, event)
    if (answer?.kind !== 'block') return { free: id }
    reasons.push(answer.reason)
  }
  const which =
    reasons.length > 1 ? ['CLEO: this is about the spawn that your prompt names, not the others.'] : []
  return { answer: { kind: 'block', reason: [...which, ...reasons].join('\n\n') } }
}

/**
 * Lets the agent of a spawn stop, or says what the agent still has to do: submit its entry, complete the task, or
 * send the return line. If the agent stopped before that, `receive` would refuse its work, and the task would have to
 * be spawned again. After several refusals the agent may stop anyway, because `receive` checks the work in any case.
 */
export const judgeStop = async (
  store: Store,
  host: Host,
  spawn: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> => {
  const state = await stopState(store, host, spawn, event)
  if (!state) return undefined
  const { row, before, agent, missing, holds } = state
  const next = missing && holds ? await refusal(store, agent, spawn, missing) : agent
  if (JSON.stringify(next) !== JSON.stringify(before)) await record(store, { row, before, next })
  return missing && next.refused !== agent.refused ? { kind: 'block', reason: missing.reason } : undefined
}

/**
 * Returns the facts about an agent that wants to stop, and whether the agent has to continue. If the spawn does not
 * exist, returns undefined.
 */
const stopState = async (store: Store, host: Host, spawn: string, event: HookEvent) => {
  const row = await spawns.find(store, spawn)
  const task = row && (await tasks.find(store, row.task))
  if (!row || !task) return undefined
  const id = event.agent ?? event.session ?? 'unknown'
  const before = agentsOf(row).find((each) => each.client === event.client && each.id === id)
  const tokens = await tokensOf(host, event)
  const agent: SpawnAgent = { client: event.client, id, ...before, ...(tokens && { tokens }) }
  const missing = await missingWork(store, { row, task, message: event.message })
  const holds = missing !== undefined && agent.released === undefined && isOwner(task, row)
  return { row, before, agent, missing, holds }
}

/** Whether the task still belongs to the spawn. A superseded, cancelled or received spawn has nothing left to do. */
const isOwner = ({ attempt_out, status }: TaskRow, { attempt }: spawns.SpawnRow): boolean =>
  status !== 'cancelled' && (attempt_out === attempt || (attempt_out === 0 && status === 'done'))

interface Missing {
  /** The missing requirements, in a few words. */
  what: string[]
  /** What the agent has to do next. */
  reason: string
}

const missingWork = async (
  store: Store,
  { row, task, message }: { row: spawns.SpawnRow; task: TaskRow; message: string | undefined },
): Promise<Missing | undefined> => {
  const words = returnWords(row.protocol, task.stage ?? row.protocol)
  const reply = message === undefined ? undefined : readReply(message, words)
  const entry = await entries.ofSpawn(store, row.id)
  const isDone =
    task.status === 'done' ||
    task.status === 'blocked' ||
    row.submitted_at !== null ||
    task.attempt_out !== row.attempt
  if (!entry && reply?.need && reply.alone) return undefined
  const line = returnLines(words[0]!)[
    ['complete', 'partial', 'blocked'].indexOf(entry?.status ?? 'complete')
  ]!
  if (entry && isDone) {
    if (!reply || (reply.alone && reply.said === entry.status)) return undefined
    return {
      what: ['return line'],
      reason: `CLEO: ${row.id} is finished. Your last message must be exactly this line and nothing else:\n${line}`,
    }
  }
  const what = [
    ...(entry ? [] : ['no manifest entry']),
    ...(isDone ? [] : [`${task.id} is ${task.status}, not done`]),
  ]
  const run = (words: string) => `cleo ${words} --as ${row.id}`
  return {
    what,
    reason: [
      `CLEO: ${row.id} cannot stop yet: ${what.join(', and ')}.`,
      ...(row.started_at === null ? [`First:  ${run(`focus set ${task.id}`)}`] : []),
      `Run:    ${run(`finish ${task.id} --finding "<what the next agent needs to know>"`)}`,
      'It lists what is missing: do that and run it again.',
      `Not finished?  ${run(`finish ${task.id} --status partial --finding "<done>" --open "<left>"`)}`,
      `Stuck?         ${run(`finish ${task.id} --status blocked --category "missing context" --why "<why>"`)}`,
      `Then return exactly this line and nothing else: ${line}`,
    ].join('\n'),
  }
}

/**
 * Returns the agent's record with one more refusal. If the agent was already refused too often, or has changed nothing
 * during the last few refusals, returns a record that lets the agent stop.
 */
const refusal = async (
  store: Store,
  agent: SpawnAgent,
  spawn: string,
  { what }: Missing,
): Promise<SpawnAgent> => {
  // Any change that the spawn made in the store since the last refusal counts as progress.
  const state = `${await lastChange(store, spawn)} ${what.join(', ')}`
  const refused = agent.refused ?? 0
  const stuck = agent.state === state ? (agent.stuck ?? 0) : 0
  return refused >= mostRefusals || stuck >= mostWithoutProgress
    ? { ...agent, released: what.join(', ') }
    : { ...agent, refused: refused + 1, stuck: stuck + 1, state }
}

const record = (
  store: Store,
  { row, before, next }: { row: spawns.SpawnRow; before: SpawnAgent | undefined; next: SpawnAgent },
): Promise<void> =>
  store.tx(async (db) => {
    await setAgent(db, row.id, next)
    if (next.released === undefined || next.released === before?.released) return
    const { client, id, refused, released } = next
    await audit.append(db, {
      at: await db.now(),
      actor: row.id,
      session: null,
      operation: 'hook.stop',
      task: row.task,
      before: null,
      after: JSON.stringify({ client, agent: id, refused, released }),
    })
  })

const tokensOf = async (host: Host, { transcript }: HookEvent) => {
  if (transcript === undefined) return undefined
  const size = host.files.sizeSeen(transcript)
  if (size === 0 || size > mostTranscriptBytes) return undefined
  return tokensIn((await host.files.head(transcript, size)) ?? '')
}
