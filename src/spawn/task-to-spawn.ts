import type { ClaimRow } from '../claims/sql/claims.ts'
import * as claims from '../claims/sql/claims.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { consensusFactsOf, decisionsOf } from '../consensus/consensus-facts.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Config } from '../kernel/config.ts'
import { type Failure, type Fault, fail, failAll } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import { isSpawnOf } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { ConsensusFacts, Findings, PromptFacts } from '../prompt/prompt-facts.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { spawnFailure, spawnProblems } from '../tasks/spawn-problems.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { isBinding } from './kept-gates.ts'

export interface TaskToSpawn {
  row: TaskRow
  root: TaskRow
  labels: string[]
  files: string[]
  criteria: { n: number; text: string }[]
  notes: { by: string; text: string }[]
  depends: PromptFacts['depends']
  /** Entries that are linked to the task come first. Entries of its dependencies follow. */
  entries: entries.EntryRow[]
  decisions: Findings[]
  consensus?: ConsensusFacts
  openNeeds: string[]
  openParts: string[]
  claim?: ClaimRow
  latest?: SpawnRow
  /**
   * The attempt whose gates the next attempt must keep: the last started attempt, or an attempt for which a person
   * chose the gates.
   */
  binding?: SpawnRow
  /** The number of the next attempt. */
  attempt: number
  now: number
}

/**
 * A prompt includes at most this many notes of the task, the newest ones. People, earlier attempts and answers in the
 * inbox add notes.
 */
const mostNotes = 5

export const readTask = async (db: Db, id: string): Promise<TaskToSpawn | undefined> => {
  const row = await tasks.find(db, id)
  if (!row) return undefined
  const { depends, labels, files } = await lists.readAll(db, id)
  const needed = await tasks.findMany(db, depends)
  const latest = await spawns.latest(db, id)
  const { last, given } = await spawns.attempts(db, id)
  return {
    row,
    root: row.root === id ? row : (await tasks.find(db, row.root))!,
    labels,
    files,
    criteria: await criteria.read(db, id),
    notes: (await notes.latestOf(db, id, mostNotes)).map(({ actor, text }) => ({ by: actor, text })),
    depends: depends.map((id) => ({ id, status: needed.get(id)!.status })),
    entries: await entriesFor(db, id, depends),
    decisions: await decisionsOf(db, depends),
    consensus: await consensusFactsOf(db, row),
    openNeeds: row.blockers > 0 ? await tasks.openNeeds(db, id) : [],
    openParts: row.children > 0 ? await tasks.openChildren(db, id) : [],
    claim: await claims.holder(db, id),
    latest,
    binding: latest && (isBinding(latest) ? latest : await spawns.lastStarted(db, id)),
    attempt: Math.max(last, given) + 1,
    now: await db.now(),
  }
}

/** A prompt includes at most this many of the entries that are linked to the task. */
const mostLinked = 5

const entriesFor = async (db: Db, id: string, depends: readonly string[]): Promise<entries.EntryRow[]> => {
  const linked = await links.entriesOfTask(db, id, mostLinked)
  const isKnown = ({ task }: entries.EntryRow) => task === id || depends.includes(task)
  return [...linked.filter((entry) => !isKnown(entry)), ...(await entries.latestOf(db, depends))]
}

export const taskCodes = [
  'spawn.closed',
  'spawn.parts',
  'dependency.open',
  'spawn.undescribed',
  'spawn.untraced',
  'spawn.files',
] as const

/** Returns every reason why the task cannot be spawned. The first reason decides the exit code. */
export const taskFaults = async (
  db: Db,
  task: TaskToSpawn,
  config: Config,
): Promise<Fault<(typeof taskCodes)[number]>[]> => {
  const { row, root, files, openNeeds, openParts } = task
  const { id, status } = row
  const undescribed = row.description.trim() === '' && task.criteria.length === 0
  const facts = { id, undescribed, root: root.id, rootType: root.type, files }
  const faults: (Failure<(typeof taskCodes)[number]> | false)[] = [
    (closed(status) || status === 'blocked') && fail('spawn.closed', { id, status }),
    openParts.length > 0 && fail('spawn.parts', { id, open: openParts }),
    openNeeds.length > 0 && fail('dependency.open', { id, on: openNeeds }),
  ]
  for (const problem of spawnProblems(facts, config))
    faults.push(await spawnFailure(db, facts, problem, config))
  return faults.flatMap((failure) => (failure ? [{ path: 'task', failure }] : []))
}

/**
 * Returns the refusal of a spawn. If there are several reasons, the message of `failAll` says that the input is wrong.
 * If one of these reasons is about the task, the message says instead that the task cannot be spawned yet.
 */
export const notYet = <C extends Fault['failure']['code']>(
  id: string,
  faults: [Fault<C>, ...Fault<C>[]],
): Failure<C> => {
  const refused = failAll(faults)
  const isAboutTask = faults.length > 1 && faults.some(({ path }) => path === 'task')
  return isAboutTask ? { ...refused, message: `${id} cannot be spawned yet.` } : refused
}

/**
 * Refuses a task that was claimed without a spawn, until the claim expires. But a person may spawn a task that they
 * have claimed themselves, and may ask to replace any other owner.
 */
export const claimFault = (
  { claim, now }: Pick<TaskToSpawn, 'claim' | 'now'>,
  actor: Actor,
  replace: boolean,
): Fault<'claim.held'>[] => {
  if (!claim || replace || claim.expires_at <= now || isSpawnOf(claim.owner, claim.task)) return []
  if (claim.owner === actor.id && !actor.agent) return []
  const { task, owner, expires_at } = claim
  return [{ path: 'task', failure: fail('claim.held', { id: task, owner, expires: iso(expires_at) }) }]
}
