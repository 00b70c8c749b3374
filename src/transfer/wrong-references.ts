import { findCycle } from '../graph/waits.ts'
import { fail, type Problem } from '../kernel/result.ts'
import { parseSpawnId, taskNumber } from '../kernel/task-id.ts'
import { columnsOf } from '../store/columns/column.ts'
import { type RecordKind, recordKinds, type Table, tables } from '../store/tables.ts'
import { placeBelow, type TreePlace } from '../tasks/placement.ts'
import type { Document, NumberedRecord } from './records.ts'

export type TreePlaces = ReadonlyMap<string, TreePlace>

/**
 * Reports repeated keys, references to something that is not in the document, and a cycle of tasks that wait for each
 * other. Does not report references to the ids in `unread`: they are in the document, on lines that already have a
 * problem.
 */
export const checkReferences = (
  document: Document,
  unread: ReadonlySet<unknown>,
  add: (problem: Problem) => void,
): TreePlaces => {
  const tasks = new Map(document.task.map((task) => [task.id, task]))
  const wrong: Wrong = (line, field, message) => add({ path: `line ${line}, ${field}`, message })
  repeated(document, wrong)
  missing(document, unread, wrong)
  foreignNames(document, wrong)
  let highest: NumberedRecord<'task'> | undefined
  for (const task of document.task)
    if (!highest || taskNumber(task.id) > taskNumber(highest.id)) highest = task
  for (const { line, name, value } of document.counter)
    if (name === 'task' && highest && taskNumber(highest.id) > value)
      wrong(line, 'value', `${value} is lower than ${highest.id}: an id would be used twice`)
  const cycle = findCycle(
    document.task.map((task) => ({ ...task, parent: task.parent ?? null, needs: task.depends })),
  )
  if (cycle) {
    wrong(tasks.get(cycle.path[0]!)!.line, 'depends', fail('cycle', cycle).message)
    return new Map()
  }
  return placeAll(document, tasks, wrong)
}

type Wrong = (line: number, field: string, message: string) => void

const recordsOf = (document: Document, kind: RecordKind) =>
  document[kind] as unknown as (Record<string, unknown> & { line: number })[]

const repeated = (document: Document, wrong: Wrong): void => {
  const once = (field: string) => {
    const seen = new Set<string>()
    return (line: number, key: string, message = `${key} is already on an earlier line`) => {
      if (seen.has(key)) wrong(line, field, message)
      seen.add(key)
    }
  }
  for (const kind of recordKinds) {
    for (const key of (tables[kind] as Table).unique) {
      const check = once(key.at(-1)!)
      for (const record of recordsOf(document, kind))
        check(record.line, key.map((name) => String(record[name])).join(' '))
    }
  }
  const holder = once('state')
  for (const { line, task, state } of document.claim)
    if (state === 'held') holder(line, task, `${task} already has an owner on an earlier line`)
  const note = once('notes')
  for (const { line, notes } of [...document.task, ...document.session])
    for (const { seq } of notes) note(line, String(seq), `number ${seq} is already used by an earlier note`)
  for (const { line, criteria } of document.task) {
    const criterion = once('criteria')
    for (const { n } of criteria)
      criterion(line, String(n), `number ${n} is already used by an earlier criterion`)
  }
}

/**
 * Reports branches, folders and commits that CLEO cannot have recorded. Without this check, CLEO would later move or
 * delete such branches and folders, and pass such commits to git.
 */
const foreignNames = (document: Document, wrong: Wrong): void => {
  const isCommit = (name: unknown): boolean =>
    name == null || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(String(name))
  const commits = (record: { line: number }, ...fields: string[]) => {
    for (const field of fields)
      if (!isCommit((record as unknown as Record<string, unknown>)[field]))
        wrong(record.line, field, 'must be the full hash of a commit')
  }
  for (const record of document.integration) {
    const own = `cleo/${record.epic}`
    if (record.branch !== own) wrong(record.line, 'branch', `must be ${own}`)
    commits(record, 'base', 'tip')
  }
  for (const record of document.worktree) {
    const own = `cleo/${record.spawn}`
    if (parseSpawnId(record.spawn)?.task !== record.task)
      wrong(record.line, 'spawn', `is not a spawn of ${record.task}`)
    else if (record.branch != null && record.branch !== own) wrong(record.line, 'branch', `must be ${own}`)
    // CLEO deletes the folders that it made. The name of such a folder ends with the spawn's id, so refuse any
    // other name.
    if (record.madeBy === 'cleo' && !record.folder.endsWith(`/${record.spawn}`))
      wrong(record.line, 'folder', `must end in /${record.spawn}`)
    commits(record, 'base')
  }
  for (const record of document.merge) commits(record, 'head', 'base', 'tip')
  for (const record of document.evidence) commits(record, 'head')
}

/** Reports every task and session that a record names but that is not in the document. */
const missing = (document: Document, unread: ReadonlySet<unknown>, wrong: Wrong): void => {
  const tasks = new Set(document.task.map(({ id }) => id))
  const sessions = new Set(document.session.map(({ id }) => id))
  const known = (line: number, field: string, id: unknown) => {
    if (typeof id === 'string' && !tasks.has(id) && !unread.has(id))
      wrong(line, field, `${id} is not in the import`)
  }
  for (const kind of recordKinds) {
    const columns = columnsOf(tables[kind].columns).filter(
      (column) => column.kind === 'task' && !column.derived,
    )
    for (const record of recordsOf(document, kind))
      for (const { as } of columns) known(record.line, as, record[as])
  }
  for (const { line, depends, notes } of document.task) {
    for (const id of depends) known(line, 'depends', id)
    for (const { session } of notes)
      if (session !== undefined && !sessions.has(session) && !unread.has(session))
        wrong(line, 'notes', `session ${session} is not in the import`)
  }
}

/** Finds the place of each task in the tree. The rules are those of `add`, but a closed parent may have children. */
const placeAll = (
  document: Document,
  tasks: ReadonlyMap<string, NumberedRecord<'task'>>,
  wrong: Wrong,
): TreePlaces => {
  const places = new Map<string, TreePlace>()
  const place = ({ id, type, parent: above, line }: NumberedRecord<'task'>): void => {
    const parent = above === undefined ? undefined : tasks.get(above)
    const found = placeBelow(
      id,
      type,
      parent && { ...places.get(parent.id)!, id: parent.id, status: 'pending' },
    )
    if (Array.isArray(found)) for (const { message } of found) wrong(line, 'parent', message)
    places.set(id, Array.isArray(found) ? { type, root: id, depth: 1 } : found)
  }
  for (const task of document.task) {
    const unplaced: NumberedRecord<'task'>[] = []
    for (let at: typeof task | undefined = task; at && !places.has(at.id); at = tasks.get(at.parent ?? ''))
      unplaced.push(at)
    for (const one of unplaced.toReversed()) place(one)
  }
  return places
}
