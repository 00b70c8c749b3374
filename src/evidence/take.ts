import type { SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Gate } from '../kernel/protocol.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { keepToOwnWork } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { heldByOther } from '../tasks/transition.ts'
import { parseAtoms } from './atoms.ts'
import { verifyLine } from './lines.ts'
import { type Looked, look } from './look.ts'
import { termsOf } from './pins.ts'
import { type Place, placeFor } from './place.ts'
import { unfitFor, unfitForCriterion } from './proofs.ts'
import { readRow } from './recheck.ts'
import { isHard, type Seen, seenWords } from './seen.ts'
import type { EvidenceRow } from './sql.ts'
import * as evidence from './sql.ts'

export const takeCodes = [
  'task.not_found',
  'task.status',
  'claim.held',
  'evidence.invalid',
  'task.changed',
] as const
type TakeCode = (typeof takeCodes)[number]

export interface Subject {
  task: TaskRow
  /** What the evidence is for. */
  gate?: Gate
  criterion?: { n: number; text: string }
}

export interface Taken {
  state: 'passed' | 'failed' | 'na'
  evidence: string[]
  worktree?: string
  head?: string
  tree?: string
}

/** The task, where evidence can still be given for it. */
export const openTask = async (
  { store, actor }: Context,
  id: string,
): Promise<Result<TaskRow, 'task.not_found' | 'task.status'>> => {
  const task = await tasks.find(store, id)
  if (!task) return fail('task.not_found', { id })
  if (closed(task.status)) return fail('task.status', { id, status: task.status, verb: 'verify' })
  await keepToOwnWork({ db: store, actor }, task, 'verify')
  return ok(task)
}

export const nameOf = ({ gate, criterion }: Subject): string => gate ?? `criterion ${criterion!.n}`

/** Looks at evidence where the caller works and keeps what it saw, what failed, too: that is what a refusal rests on. */
export const take = async (
  context: Context,
  subject: Subject,
  text: string,
): Promise<Result<Taken, TakeCode>> => {
  const what = nameOf(subject)
  const spawn = await spawns.latest(context.store, subject.task.id)
  const { place, problems: elsewhere } = await placeFor(context, spawn)
  const { atoms, problems: unread } = parseAtoms(text)
  const then = termsOf(spawn)
  const terms = {
    git: then?.git || place.git !== undefined,
    reports: (then?.reports ?? true) && (context.config.gates?.reports ?? false),
  }
  const unfit =
    unread.length > 0
      ? []
      : subject.gate
        ? unfitFor(subject.gate, atoms, terms)
        : unfitForCriterion(atoms, terms)
  const first = [...elsewhere, ...unread, ...unfit]
  if (first.length > 0) return fail('evidence.invalid', { what, problems: first })
  const rows = (await evidence.latestOf(context.store, subject.task.id)).map(readRow)
  const looked = await look(context, place, { task: subject.task.id, gate: subject.gate, atoms, spawn, rows })
  if (looked.problems.length > 0) return fail('evidence.invalid', { what, problems: looked.problems })
  const state = looked.failed ? 'failed' : looked.isNa ? 'na' : 'passed'
  const kept = await keep(context, subject, { spawn, place, looked, state })
  if (!kept.ok) return kept
  if (looked.failed) {
    const problems = [{ path: 'tool', message: looked.failed }]
    return fail('evidence.invalid', { what, problems, fix: againLine(context, subject, text) })
  }
  const { worktree, head, tree } = whereOf(place, looked)
  return ok(
    {
      state,
      evidence: looked.seen.flatMap(seenWords),
      ...(worktree && { worktree }),
      ...(head && { head }),
      ...(tree && { tree }),
    },
    { warnings: looked.warnings },
  )
}

/** What to run once the cause is mended. */
const againLine = ({ actor }: Context, { task, gate, criterion }: Subject, text: string): string =>
  verifyLine(
    { task: task.id, ...(actor.agent && parseSpawnId(actor.id) && { as: actor.id }) },
    gate ? `--gate ${gate}` : `--criterion ${criterion!.n}`,
    text,
  )

interface Found {
  spawn: SpawnRow | undefined
  place: Place
  looked: Looked
  state: Taken['state']
}

/** Soft evidence comes from nowhere in particular. */
const whereOf = (place: Place, { seen, tree }: Looked) =>
  seen.some(isHard)
    ? { worktree: place.folder, head: place.head ?? null, tree: tree ?? null }
    : { worktree: null, head: null, tree: null }

const keep = (context: Context, subject: Subject, found: Found): Promise<Result<null, TakeCode>> =>
  context.write<Result<null, TakeCode>>(async (tx) => {
    const { spawn, place, looked, state } = found
    const refused = await mayStillSpeak(tx, context, subject.task.id, spawn)
    if (refused) return refused
    await keepRow(tx, subject, {
      spawn: spawn?.id ?? null,
      state,
      atoms: looked.seen,
      ...whereOf(place, looked),
      reason: looked.failed ?? null,
    })
    return ok(null)
  })

/** Somebody else may have taken the task while a tool ran. */
export const mayStillSpeak = async (
  tx: Write,
  { actor }: Context,
  id: string,
  spawn: SpawnRow | undefined,
): Promise<Failure<'task.changed' | 'claim.held'> | undefined> => {
  if ((await spawns.lastAttempt(tx.db, id))?.id !== spawn?.id) return fail('task.changed', { id })
  return actor.agent ? heldByOther(tx, id, actor) : undefined
}

type Row = Pick<EvidenceRow, 'spawn' | 'state' | 'worktree' | 'head' | 'tree' | 'reason'> & { atoms: Seen[] }

/** Writes one piece with its line in the audit log, and what it says of a criterion. */
export const keepRow = async (tx: Write, { task, gate, criterion }: Subject, row: Row): Promise<void> => {
  const atoms: Seen[] = criterion ? [{ kind: 'criterion', text: criterion.text }, ...row.atoms] : row.atoms
  await evidence.insert(tx.db, {
    task: task.id,
    ...row,
    gate: gate ?? null,
    criterion: criterion?.n ?? null,
    atoms: JSON.stringify(atoms),
    actor: tx.actor.id,
    at: tx.now,
  })
  if (criterion) {
    const { decide } = await import('../tasks/sql/criteria.ts')
    await decide(
      tx.db,
      task.id,
      criterion,
      row.state === 'passed' ? 'met' : row.state === 'waived' ? 'waived' : 'unmet',
    )
  }
  await tx.record({
    task: task.id,
    after: {
      ...(gate && { gate }),
      ...(criterion && { criterion: criterion.n }),
      state: row.state,
      evidence: row.atoms.flatMap(seenWords),
      ...(row.reason && { reason: row.reason.slice(0, 500) }),
    },
  })
}
