import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { firstExit } from '../kernel/exit-order.ts'
import { type Failure, fail, type Ok, ok } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import { ingest } from '../manifest/ingest.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { isBreach } from './breach.ts'
import { firstFew, type ReceivedAll } from './receive-answer.ts'
import { type Received, receiveSpawn } from './receive-spawn.ts'

type Options = Pick<Received, 'followUps' | 'release'>

/**
 * Receives every spawn that has submitted an entry, dependencies first. A refused spawn does not stop the others. Its
 * line in the answer says why it was refused, and the command exits with the status of a refusal.
 */
export const receiveAll = async (context: Context, options: Options): Promise<Ok<ReceivedAll>> => {
  const waiting = await spawns.unreceived(context.store)
  const worktrees = waiting.flatMap((spawn) => optionsOf(spawn)?.worktree ?? [])
  const warnings = [...(await ingest(context, worktrees)).warnings]
  const submitted = await entries.newestOfSpawns(
    context.store,
    waiting.map(({ id }) => id),
  )
  const ready = waiting.filter(({ id }) => submitted.has(id))
  // The caller named no tasks, so CLEO does not know whether the agents have stopped. An agent can still be working
  // after it has submitted an entry.
  return receiveTogether(context, ready, { ...options, mayStillWork: true }, warnings)
}

/**
 * Receives the newest spawns of these tasks and merges their work together. The caller named the tasks, so their
 * agents count as stopped.
 */
export const receiveNamed = async (
  context: Context,
  ids: readonly string[],
  options: Options,
): Promise<Ok<ReceivedAll> | Failure<'task.not_found' | 'spawn.none'>> => {
  const named: SpawnRow[] = []
  for (const id of new Set(ids)) {
    const task = await tasks.find(context.store, id)
    if (!task) return fail('task.not_found', { id })
    const spawn = await spawns.latest(context.store, id)
    if (!spawn) return fail('spawn.none', { task: id, closed: closed(task.status) })
    named.push(spawn)
  }
  return receiveTogether(context, named, options, [])
}

const receiveTogether = async (
  context: Context,
  ready: readonly SpawnRow[],
  options: Options & Pick<Received, 'mayStillWork'>,
  warnings: string[],
): Promise<Ok<ReceivedAll>> => {
  const received: ReceivedAll['received'] = []
  const accepted: { task: string; spawn: SpawnRow }[] = []
  for (const { task, spawn } of await inDependencyOrder(context, ready)) {
    const result = await receiveSpawn(context, { task, spawn, replaced: false, mergeLater: true, ...options })
    warnings.push(...(result.warnings ?? []).map((warning) => `${task.id}: ${warning}`))
    received.push(
      result.ok ? result.value : (options.mayStillWork ? unfinishedLine : refusedLine)(task.id, result),
    )
    if (result.ok) accepted.push({ task: task.id, spawn })
  }
  const merged = await mergeAll(context, accepted, warnings)
  const lines = received.map((line) => merged.get(line.taskId)?.(line) ?? line)
  const exits = lines.flatMap((line) => (line.outcome === 'refused' ? [line.exit] : []))
  return ok({ received: lines }, { warnings, ...(exits.length > 0 && { exit: firstExit(exits) }) })
}

type Line = ReceivedAll['received'][number]

const refusedLine = (taskId: string, { code, exit, message, fix, retryable }: Failure): Line => ({
  taskId,
  outcome: 'refused',
  code,
  exit,
  ...(retryable && { retryable }),
  why: message,
  ...(fix && { then: fix }),
})

/**
 * The line of a refused spawn whose agent might still be working. Only the agent's reply shows that the agent has
 * stopped, so the line asks for the reply.
 */
const unfinishedLine = (taskId: string, failure: Failure): Line => ({
  ...refusedLine(taskId, failure),
  ...(isBreach(failure.code) && { then: `cleo receive ${taskId} --message "<its last line>"` }),
})

/** Merges the accepted work. Returns, for each task, how the merge changes the task's line in the answer. */
const mergeAll = async (
  context: Context,
  accepted: readonly { task: string; spawn: SpawnRow }[],
  warnings: string[],
): Promise<Map<string, (line: Line) => Line>> => {
  if (accepted.length === 0) return new Map()
  const { mergeReturned } = await import('../merge/merge-returned.ts')
  const results = await mergeReturned(context, accepted)
  const changes = new Map<string, (line: Line) => Line>()
  // The branches are merged together, so the results of several spawns can list the same ready task. Show this task
  // only in the line of the first spawn.
  const named = new Set<string>()
  for (const { task, spawn } of accepted) {
    const result = results.get(spawn.id)
    if (!result) continue
    if (!result.ok) changes.set(task, () => refusedLine(task, result))
    else {
      const { into, commits, unblocked } = result
      const { few, more } = firstFew(unblocked.filter((id) => !named.has(id)))
      for (const id of unblocked) named.add(id)
      changes.set(task, (line) => ({
        ...(line as Extract<Line, { unblocked: string[] }>),
        merge: { into, commits },
        unblocked: few,
        ...(more && { more }),
      }))
    }
    warnings.push(...(result.warnings ?? []).map((warning) => `${task}: ${warning}`))
  }
  return changes
}

/** Orders spawns so that a task comes after its dependencies and after its children. */
const inDependencyOrder = async (
  { store }: Context,
  ready: readonly SpawnRow[],
): Promise<{ task: TaskRow; spawn: SpawnRow }[]> => {
  const rows = await tasks.findMany(
    store,
    ready.map(({ task }) => task),
  )
  const bySpawn = new Map(ready.map((spawn) => [spawn.task, spawn]))
  const needs = await lists.readMany(store, 'depends', [...rows.keys()])
  const before = new Map<string, string[]>([...rows.keys()].map((id) => [id, [...(needs.get(id) ?? [])]]))
  for (const { id, parent } of rows.values()) if (parent) before.get(parent)?.push(id)
  const ordered = new Set<string>()
  const visited = new Set<string>()
  const visit = (id: string): void => {
    if (visited.has(id) || !rows.has(id)) return
    visited.add(id)
    for (const need of before.get(id)!) visit(need)
    ordered.add(id)
  }
  for (const { task } of ready) visit(task)
  return [...ordered].map((id) => ({ task: rows.get(id)!, spawn: bySpawn.get(id)! }))
}
