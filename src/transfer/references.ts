import { findCycle } from '../graph/waits.ts'
import { fail, type Problem } from '../kernel/result.ts'
import { taskNumber } from '../kernel/task-id.ts'
import { type Place, placeBelow } from '../tasks/placement.ts'
import type { Document, Line } from './document.ts'
import { wrongPlain } from './plain-records.ts'
import type { Of } from './records.ts'

/** Where each task stands in its tree. */
export type Places = ReadonlyMap<string, Place>

/**
 * Names every line that says a thing twice, speaks of what is not there, or waits in a circle. `unread` are the ids
 * on lines that have been named already.
 */
export const wrongReferences = (
  document: Document,
  unread: ReadonlySet<unknown>,
): { problems: Problem[]; places: Places } => {
  const tasks = new Map(document.task.map((task) => [task.id, task]))
  const sessions = new Set(document.session.map(({ id }) => id))
  const problems: Problem[] = []
  const wrong = (line: number, field: string, message: string) =>
    problems.push({ path: `line ${line}, ${field}`, message })
  const known = (line: number, field: string, id: string | undefined) => {
    if (id !== undefined && !tasks.has(id) && !unread.has(id))
      wrong(line, field, `${id} is not in the document`)
  }
  repeated(document, wrong)
  for (const { line, parent, depends, notes } of document.task) {
    known(line, 'parent', parent)
    for (const id of depends) known(line, 'depends', id)
    for (const { session } of notes)
      if (session !== undefined && !sessions.has(session) && !unread.has(session))
        wrong(line, 'notes', `session ${session} is not in the document`)
  }
  for (const { line, scope } of document.session) known(line, 'scope', scope)
  const { claim, focus, spawn, entry } = document
  for (const { line, task } of [...claim, ...focus, ...spawn, ...entry]) known(line, 'task', task)
  problems.push(...wrongPlain(document.plain, (id) => tasks.has(id) || unread.has(id)))
  for (const { line, name, value } of document.counter) {
    const above = name === 'task' ? document.task.find(({ id }) => taskNumber(id) > value) : undefined
    if (above) wrong(line, 'value', `${value} is below ${above.id}: a number would be given twice`)
  }
  const cycle = findCycle(
    document.task.map((task) => ({ ...task, parent: task.parent ?? null, needs: task.depends })),
  )
  if (cycle) {
    wrong(tasks.get(cycle.path[0]!)!.line, 'depends', fail('cycle', cycle).message)
    return { problems, places: new Map() }
  }
  return { problems, places: placeAll(document, tasks, wrong) }
}

type Wrong = (line: number, field: string, message: string) => void

const repeated = (document: Document, wrong: Wrong): void => {
  const once = (field: string) => {
    const seen = new Set<string>()
    return (line: number, key: string | number, what = String(key)) => {
      if (seen.has(String(key))) wrong(line, field, `${what} stood on an earlier line`)
      seen.add(String(key))
    }
  }
  const numbered = (records: readonly { line: number; seq: number; id: string }[]) => {
    const [number, id] = [once('seq'), once('id')]
    for (const record of records) {
      number(record.line, record.seq)
      id(record.line, record.id)
    }
  }
  const [task, session, counter] = [once('id'), once('id'), once('name')]
  const [note, sessionSeq, entry] = [once('notes'), once('seq'), once('seq')]
  const [claim, holder, focus] = [once('owner'), once('state'), once('agent')]
  for (const { line, name } of document.counter) counter(line, name)
  for (const { line, id, notes, criteria } of document.task) {
    task(line, id)
    const criterion = once('criteria')
    for (const { n } of criteria) criterion(line, n, `number ${n}`)
    for (const { seq } of notes) note(line, seq, `number ${seq}`)
  }
  for (const { line, id, seq, notes } of document.session) {
    session(line, id)
    sessionSeq(line, seq)
    for (const { seq } of notes) note(line, seq, `number ${seq}`)
  }
  for (const { line, task, owner, state } of document.claim) {
    claim(line, `${task} ${owner}`)
    if (state === 'held') holder(line, task, `a holder of ${task}`)
  }
  for (const { line, session, agent } of document.focus) focus(line, `${session} ${agent}`)
  for (const { line, seq } of document.audit) entry(line, seq)
  numbered(document.spawn)
  numbered(document.entry)
}

/** The tree by the rules of `add`, but for the one that a closed parent takes no children. */
const placeAll = (document: Document, tasks: ReadonlyMap<string, Line<Of<'task'>>>, wrong: Wrong): Places => {
  const places = new Map<string, Place>()
  const place = ({ id, type, parent: above, line }: Line<Of<'task'>>): void => {
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
    const unplaced: Line<Of<'task'>>[] = []
    for (let at: typeof task | undefined = task; at && !places.has(at.id); at = tasks.get(at.parent ?? ''))
      unplaced.push(at)
    for (const one of unplaced.toReversed()) place(one)
  }
  return places
}
