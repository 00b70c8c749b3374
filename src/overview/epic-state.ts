import * as v from 'valibot'
import * as claims from '../claims/sql/claims.ts'
import type { TaskLine } from '../kernel/task.ts'
import type { Context } from '../operation/context.ts'
import { brief } from '../print/brief.ts'
import { printable } from '../print/printable.ts'
import type { Db } from '../store/port.ts'
import type { ReadySet } from '../tasks/ready-set.ts'
import * as taskCounts from '../tasks/sql/counts.ts'
import { page } from '../tasks/sql/list.ts'
import type { OutRow } from '../tasks/sql/search.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { taskLine } from '../tasks/task-shape.ts'
import { readyTasks } from '../worktrees/ready-tasks.ts'

/** At most this many tasks are shown in each list. The counts include all tasks. */
const few = 5

export const readyShape = () => v.array(taskLine())

export const firstReady = async (context: Context, root: string | undefined): Promise<TaskLine[]> =>
  readyLines(await readyTasks(context, { root, limit: few, skip: 0 }))

export const readyLines = ({ chosen }: Pick<ReadySet, 'chosen'>): TaskLine[] =>
  chosen.map((row) => ({ ...tasks.toLine(row), title: brief(row.title, 56) }))

export const blockedShape = () => v.array(v.object({ id: v.string(), why: v.string() }))

/** The answer has a short part of each reason. `notes` gets a longer part, which only people see. */
export const firstBlocked = async (db: Db, root: string | undefined, notes?: Map<string, string>) => {
  const rows = await page(db, { statuses: ['blocked'], root, limit: few })
  if (rows.length === 0) return []
  const found = await tasks.findMany(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id }) => {
    const reason = found.get(id)?.reason ?? ''
    notes?.set(id, printable(brief(reason, 5 * mostOfReason)))
    return { id, why: brief(reason, mostOfReason) }
  })
}

/** How many bytes of a reason are in an answer. The limit keeps the answer short for agents. */
const mostOfReason = 64

export const activeShape = () => v.array(v.object({ id: v.string(), owner: v.optional(v.string()) }))

export const firstActive = async (
  db: Db,
  root: string | undefined,
  { busy }: Pick<ReadySet, 'busy'>,
): Promise<{ id: string; owner?: string }[]> => {
  const found: { id: string; owner?: string }[] = []
  for (const { id, root: own, status, spawn } of busy) {
    if (status !== 'active' || (root !== undefined && own !== root)) continue
    if (found.length === few) break
    const owner = spawn ?? (await claims.holder(db, id))?.owner
    found.push({ id, ...(owner && { owner }) })
  }
  return found
}

/** In a project without tasks, `then` is the command that adds a task. */
export const whyNothingIsReady = async (
  db: Db,
  root: string | undefined,
  out: readonly OutRow[],
): Promise<{ why: string; then?: string }> => {
  const counts = await taskCounts.countByStatus(db, root)
  const open = (counts.get('pending') ?? 0) + (counts.get('active') ?? 0) + (counts.get('blocked') ?? 0)
  if (counts.size === 0 && root === undefined)
    return { why: 'no tasks yet', then: 'cleo add "…" --type epic' }
  if (open === 0) return { why: 'no open tasks' }
  const parts = (['active', 'blocked', 'pending'] as const).flatMap((status) => {
    const n = counts.get(status) ?? 0
    return n > 0 ? [`${n} ${status}`] : []
  })
  return { why: `no task is ready: ${parts.join(', ')}${outNames(out)}` }
}

/** Lists the spawns whose return was not received yet, as the end of a sentence; empty if there is none. */
export const outNames = (out: readonly OutRow[]): string => {
  if (out.length === 0) return ''
  const names = out.slice(0, few).map(({ spawn }) => spawn)
  return `; not received yet: ${names.join(', ')}${out.length > few ? ` and ${out.length - few} more` : ''}`
}
