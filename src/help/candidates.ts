import type { Status } from '../kernel/task.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import { printable } from '../print/printable.ts'
import type { Db } from '../store/port.ts'
import * as sql from './sql.ts'

/** The kinds of words that a shell can complete by asking CLEO. */
export const candidateKinds = [
  'tasks',
  'open',
  'blocked',
  'closed',
  'epics',
  'spawns',
  'sessions',
  'skills',
] as const
export type CandidateKind = (typeof candidateKinds)[number]

export interface Candidate {
  value: string
  about: string
}

/** More completions would be slower and hard to read. */
const mostCandidates = 50

/**
 * Returns the possible completions of a typed word, newest first. In a list with commas, completes the item after the
 * last comma.
 */
export const candidatesFor = async (
  context: Context,
  kind: CandidateKind,
  typed: string,
): Promise<Candidate[]> => {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const word = typed.slice(before.length)
  const found = await candidatesOf(context, kind, word)
  const given = new Set(before.split(','))
  return found
    .filter(({ value }) => isPlain(value) && value.startsWith(word) && !given.has(value))
    .slice(0, mostCandidates)
    .map(({ value, about }) => ({ value: before + value, about: oneLine(about) }))
}

const candidatesOf = async (context: Context, kind: CandidateKind, word: string): Promise<Candidate[]> => {
  const { store } = context
  if (kind === 'sessions') {
    const sessions = await import('../sessions/sql.ts')
    const { rows } = await sessions.list(store, { limit: mostCandidates })
    return rows.map(({ id, name, status }) => ({ value: id, about: `${name ?? ''} (${status})`.trim() }))
  }
  if (kind === 'skills') {
    const { openCatalogue } = await import('../skills/skill-catalogue.ts')
    const skills = (await openCatalogue(context)).list()
    return skills.map(({ name, description }) => ({ value: name, about: description ?? '' }))
  }
  if (kind === 'spawns') return spawnsLike(store, word)
  const rows = await tasksLike(store, kind, word)
  // A person can also type `t12` for a task id. The shell offers only words that begin exactly as typed, so keep
  // the typed case.
  const letter = word[0] === 't' ? 't' : 'T'
  return rows.map(({ id, title }) => ({ value: letter + id.slice(1), about: title }))
}

const statusesOf: Partial<Record<CandidateKind, readonly Status[]>> = {
  open: ['active', 'pending', 'blocked'],
  epics: ['active', 'pending', 'blocked'],
  blocked: ['blocked'],
  closed: ['done', 'cancelled'],
}

/**
 * Returns tasks of any status whose id begins with the typed digits. Without digits, returns the newest tasks with a
 * status that fits the command.
 */
const tasksLike = async (
  db: Db,
  kind: CandidateKind,
  word: string,
): Promise<{ id: string; title: string }[]> => {
  const digits = word.slice(1)
  if (digits === '') {
    const { page } = await import('../tasks/sql/list.ts')
    const statuses = statusesOf[kind]
    return page(db, {
      newest: true,
      limit: mostCandidates,
      ...(statuses && { statuses }),
      ...(kind === 'epics' && { type: 'epic' as const }),
    })
  }
  if (!/^[Tt]\d{1,12}$/.test(word)) return []
  const found = []
  for (const [from, to] of numbersBeginning(digits))
    if (found.length < mostCandidates)
      found.push(...(await sql.tasksBetween(db, from, to, mostCandidates - found.length)))
  return found
}

/**
 * Returns the ranges of task numbers whose ids begin with these digits. For `1` these are 100 to 199, 1000 to 1999 and
 * so on. Ids have at least three digits.
 */
export const numbersBeginning = (digits: string): [number, number][] => {
  const ranges: [number, number][] = []
  for (let length = Math.max(3, digits.length); length <= 12; length++) {
    const unit = 10 ** (length - digits.length)
    const from = Number(digits) * unit
    if (length === 3 || from >= 10 ** (length - 1)) ranges.push([from, from + unit - 1])
  }
  return ranges
}

const spawnsLike = async (db: Db, word: string): Promise<Candidate[]> => {
  const dot = word.indexOf('.')
  const task = dot < 0 ? undefined : parseTaskId(word.slice(0, dot))
  const rows = await sql.newestSpawns(db, task, 4 * mostCandidates)
  return rows.map(({ id, title }) => ({ value: id, about: title }))
}

/** Whether a value needs no quotes in any shell. Other values are not offered. */
const isPlain = (value: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(value)

const oneLine = (text: string): string => {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line
}
