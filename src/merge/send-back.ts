import * as returns from '../claims/sql/returns.ts'
import type { Tool } from '../kernel/config-words.ts'
import { type Failure, fail, ok } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context, Write } from '../operation/context.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import type { Integration } from '../worktrees/integration.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { Work } from './work.ts'

/** Why work was not merged. The prompt of the next attempt names the reason. */
export type MergeProblem =
  | { kind: 'conflict'; files: string[]; others: string[] }
  | { kind: 'red'; tool: Tool; why: string }

/**
 * Reopens a task whose work cannot be merged. Its branch and worktree stay until the next attempt, and the prompt of
 * that attempt says what went wrong.
 */
export const sendBack = async (
  context: Context,
  { epic, branch: into, tip }: Integration,
  { task, spawn, worktree, head }: Work,
  problem: MergeProblem,
): Promise<Failure<'merge.conflict' | 'merge.red'>> => {
  await context.write(async (tx) => {
    const row = await tasks.find(tx.db, task.id)
    if (row?.status !== 'done' || row.merge !== 'pending') return ok(undefined)
    const reason = reasonOf(problem, into)
    await transition(tx, row, { to: 'pending', reason, merge: 'refused', event: 'task.reopened' })
    await criteria.reopen(tx.db, task.id)
    const merge = { spawn: spawn.id, task: task.id, epic, head, base: tip, tip: null }
    const report = JSON.stringify(problem)
    await tellNext(tx, { task: task.id, spawn: spawn.id }, problem)
    await worktrees.addMerge(tx.db, { ...merge, state: 'refused', report, actor: tx.actor.id, at: tx.now })
    return ok(undefined)
  })
  const branch = worktree.branch!
  if (problem.kind === 'conflict') {
    const { files, others } = problem
    return fail('merge.conflict', { task: task.id, spawn: spawn.id, files, others, branch })
  }
  const problems = [{ path: `tool:${problem.tool}`, message: problem.why }]
  return fail('merge.red', { task: task.id, into, branch, problems })
}

/**
 * Records what the prompt of the next attempt has to say: the problem, and the findings of the tasks with which the
 * work conflicts.
 */
const tellNext = async (
  { db, now, actor }: Write,
  { task, spawn }: { task: string; spawn: string },
  problem: MergeProblem,
): Promise<void> => {
  const by = { task, at: now, actor: actor.id }
  await returns.add(db, { spawn, breach: mergeBreach(problem) }, by)
  const others = problem.kind === 'conflict' ? await entries.latestOf(db, problem.others) : []
  for (const { id } of others) await links.add(db, { ...by, entry: id })
}

/** Returns the problem as a text that `breachSentence` can parse. */
const mergeBreach = (problem: MergeProblem): string =>
  problem.kind === 'conflict'
    ? `merge.conflict ${problem.others.join(',')}\n${problem.files.slice(0, 20).join('\n')}`
    : `merge.red ${problem.tool}\n${problem.why.slice(-2000)}`

const reasonOf = (problem: MergeProblem, into: string): string =>
  problem.kind === 'conflict'
    ? `conflicts with ${into} in ${problem.files.slice(0, 3).join(', ')}`
    : `${problem.tool} fails once merged into ${into}`
