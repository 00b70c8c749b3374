import { receiptsOf } from '../claims/sql/returns.ts'
import { limits } from '../kernel/task.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { insertTasks } from '../tasks/insert.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'

export interface FollowedUp {
  made: string[]
  linked: string[]
  warnings: string[]
}

interface Left {
  task: TaskRow
  spawn: string
  entry: { id: string; body: Record<string, unknown> }
}

const mostWords = 8000
/** One return does not flood an epic. */
const mostMade = 20

/** Makes tasks of what an entry leaves open, and links those it names; of the same words never twice. */
export const followUp = async (tx: Write, left: Left): Promise<FollowedUp> => {
  const { ids, texts, empty } = sorted(openPoints(left.entry.body))
  const known = await tasks.findMany(tx.db, ids)
  const linked = ids.filter((id) => known.has(id))
  for (const id of linked)
    await links.add(tx.db, { task: id, entry: left.entry.id, at: tx.now, actor: tx.actor.id })
  const before = await followedBefore(tx.db, left.task.id)
  const fresh = texts.filter((text) => !before.has(text))
  const place = fresh.length > 0 ? await openPlace(tx, left) : undefined
  const warnings = [
    ...ids.filter((id) => !known.has(id)).map((id) => `follow-up ${id} is no task`),
    ...(empty > 0 ? [`${empty} follow-ups name nothing`] : []),
    ...(fresh.length > mostMade ? [`${fresh.length - mostMade} follow-ups left in ${left.entry.id}`] : []),
    ...(place === null ? [`no tasks made: ${left.task.parent} is cancelled`] : []),
  ]
  const made = place ? await make(tx, left, place, fresh.slice(0, mostMade)) : []
  return { made, linked, warnings }
}

const openPoints = ({ needs_followup }: Record<string, unknown>): string[] =>
  Array.isArray(needs_followup) ? needs_followup.filter((item) => typeof item === 'string') : []

/** A task's id alone names that task; anything else is words. */
const sorted = (items: readonly string[]) => {
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

/** The words that tasks were made of already: known by the entries, so that a task may be renamed or cancelled since. */
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

/** Beside the task, or below it where it is the epic. What was done with its last part is not done: it opens again. */
const openPlace = async (tx: Write, { task, entry }: Left): Promise<string | null> => {
  const parent = task.parent ?? task.id
  const line = await tasks.lineage(tx.db, parent)
  if (line.some(({ status }) => status === 'cancelled')) return null
  const reason = `${entry.id} leaves something open`
  for (const each of line.filter(({ status }) => status === 'done'))
    await transition(tx, each, { to: 'pending', reason, event: 'task.reopened' })
  return parent
}

const make = async (
  tx: Write,
  { task, spawn, entry }: Left,
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
  if (!Array.isArray(made)) throw new Error(`follow-ups do not fit: ${made.message}`)
  for (const { id } of made)
    await links.add(tx.db, { task: id, entry: entry.id, at: tx.now, actor: tx.actor.id })
  return made.map(({ id }) => id)
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
