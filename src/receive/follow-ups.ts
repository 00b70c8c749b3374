import { receiptsOf } from '../claims/sql/returns.ts'
import { closed, limits } from '../kernel/task.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { insertTasks } from '../tasks/insert.ts'
import * as counts from '../tasks/sql/counts.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'

export interface FollowUps {
  made: string[]
  linked: string[]
  warnings: string[]
}

interface OpenPoints {
  task: TaskRow
  spawn: string
  entry: { id: string; body: Record<string, unknown> }
  /** True if the dependents of the task must wait for the new tasks. */
  hold: boolean
}

const mostWords = 8000
/** At most this many tasks are made from one return, so that an entry cannot flood an epic. */
const mostMade = 20

/**
 * If a follow-up of an entry is only a task id, links the entry to that task. Makes a task from any other follow-up.
 * The same text never makes a second task.
 */
export const followUp = async (tx: Write, left: OpenPoints): Promise<FollowUps> => {
  const { ids, texts, empty } = idsAndTexts(openPoints(left.entry.body))
  const known = await tasks.findMany(tx.db, ids)
  const linked = ids.filter((id) => known.has(id))
  for (const id of linked)
    await links.add(tx.db, { task: id, entry: left.entry.id, at: tx.now, actor: tx.actor.id })
  const before = await followedBefore(tx.db, left.task.id)
  const fresh = texts.filter((text) => !before.has(text))
  const parent = fresh.length > 0 ? await openParent(tx, left) : undefined
  const warnings = [
    ...ids.filter((id) => !known.has(id)).map((id) => `follow-up ${id} is not a task`),
    ...(empty > 0 ? [`empty follow-ups were ignored: ${empty}`] : []),
    ...(fresh.length > mostMade
      ? [`follow-ups that did not become tasks: ${fresh.length - mostMade}; see ${left.entry.id}`]
      : []),
    ...(parent === null ? [`no follow-up tasks were added: ${left.task.parent} is cancelled`] : []),
  ]
  const made = parent ? await addFollowUpTasks(tx, left, parent, fresh.slice(0, mostMade)) : []
  if (left.hold && made.length > 0) await holdDependents(tx, left.task.id, made)
  return { made, linked, warnings }
}

const openPoints = ({ needs_followup }: Record<string, unknown>): string[] =>
  Array.isArray(needs_followup) ? needs_followup.filter((item) => typeof item === 'string') : []

const idsAndTexts = (items: readonly string[]) => {
  const ids = new Set<string>()
  const texts = new Set<string>()
  let empty = 0
  for (const item of items) {
    const text = plain(item)
    const id = text[0] === 'T' || text[0] === 't' ? parseTaskId(text) : undefined
    if (id) ids.add(id)
    else if (text === '') empty++
    else texts.add(text)
  }
  return { ids: [...ids], texts: [...texts], empty }
}

const plain = (item: string): string => item.toWellFormed().replaceAll(/\s+/g, ' ').trim()

/**
 * Returns the texts of follow-ups that already became tasks. Reads them from the entries, because the tasks might
 * have been renamed since.
 */
const followedBefore = async (db: Db, task: string): Promise<Set<string>> => {
  const texts = new Set<string>()
  const followed = new Set<string>()
  for (const { entry, made } of await receiptsOf(db, task)) if (entry && made) followed.add(entry)
  for (const id of followed) {
    const row = await entries.find(db, id)
    const points = row ? openPoints(JSON.parse(row.body) as Record<string, unknown>) : []
    for (const text of points) texts.add(plain(text))
  }
  return texts
}

/**
 * Returns the task below which the follow-ups are added: the parent of the given task, or the given task itself if it
 * has no parent. Reopens this task and its ancestors if they are done. If one of them is cancelled, returns null, and
 * no follow-ups are added.
 */
const openParent = async (tx: Write, { task, entry }: OpenPoints): Promise<string | null> => {
  const parent = task.parent ?? task.id
  const line = await tasks.lineage(tx.db, parent)
  if (line.some(({ status }) => status === 'cancelled')) return null
  const reason = `${entry.id} has follow-ups`
  for (const each of line.filter(({ status }) => status === 'done'))
    await transition(tx, each, { to: 'pending', reason, event: 'task.reopened' })
  return parent
}

const addFollowUpTasks = async (
  tx: Write,
  { task, spawn, entry }: OpenPoints,
  parent: string,
  texts: readonly string[],
): Promise<string[]> => {
  if (texts.length === 0) return []
  const rows = texts.map((text) => ({
    title: cut(text, limits.title),
    description: `${cut(text, mostWords)}\n\nLeft open by ${task.id}; its entry is ${entry.id}.`,
    parent,
  }))
  const made = await insertTasks(tx, rows, { id: spawn, agent: true })
  if (!Array.isArray(made)) throw new Error(`could not add the follow-up tasks: ${made.message}`)
  for (const { id } of made)
    await links.add(tx.db, { task: id, entry: entry.id, at: tx.now, actor: tx.actor.id })
  return made.map(({ id }) => id)
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

const mostDependents = 1000

/**
 * Makes the open dependents of a partial task wait for its follow-ups. Skips active dependents, and dependents that
 * would get too many dependencies. No cycle can arise, because the follow-ups are new tasks.
 */
const holdDependents = (tx: Write, task: string, made: readonly string[]): Promise<void> =>
  changeNeeds(tx, task, ({ status }, needs) =>
    status === 'active' || needs.length + made.length > limits.depends ? needs : [...needs, ...made],
  )

export const releaseDependents = async (tx: Write, task: string): Promise<void> => {
  const made = new Set((await receiptsOf(tx.db, task)).flatMap((receipt) => receipt.made ?? []))
  if (made.size > 0) await changeNeeds(tx, task, (_, needs) => needs.filter((id) => !made.has(id)))
}

const changeNeeds = async (
  tx: Write,
  task: string,
  changed: (dependent: TaskRow, needs: readonly string[]) => readonly string[],
): Promise<void> => {
  const dependents = await tasks.findMany(tx.db, await lists.dependents(tx.db, task, mostDependents))
  for (const row of dependents.values()) {
    if (closed(row.status)) continue
    const before = await lists.read(tx.db, 'depends', row.id)
    const needs = changed(row, before)
    if (needs.length === before.length) continue
    await lists.replace(tx.db, 'depends', row.id, needs)
    await lists.countDependents(tx.db, before, -1)
    await lists.countDependents(tx.db, needs, 1)
    await counts.recountBlockers(tx.db, row.id)
    await tasks.touch(tx.db, row.id, tx.now)
    await tx.record({ task: row.id, before: { depends: before }, after: { depends: needs } })
  }
}
