import type { AuditRow } from '../audit/sql.ts'
import type { ClaimRow } from '../claims/sql/claims.ts'
import type { FocusRow } from '../claims/sql/focus.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { priorities } from '../kernel/task.ts'
import { taskNumber } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import { plainNames } from '../store/plain-tables.ts'
import type { SessionRow, TaskRow } from '../store/rows.ts'
import { plainRecord } from './plain-records.ts'
import { header } from './records.ts'
import type { Everything, StoredNote } from './sql.ts'

/** Everything, one record a line, in an order that depends on nothing but the content. */
export const exportLines = (all: Everything): string[] => {
  const criteria = Map.groupBy(all.criteria, ({ task }) => task)
  const notes = Map.groupBy(all.notes, ({ task, session }) => task ?? session ?? '')
  const notesOf = (id: string) => (notes.get(id) ?? []).map(noteRecord)
  return [
    header,
    ...sorted(all.counters, ({ name }) => name).map(({ name, value }) => ({
      record: 'counter',
      name,
      value,
    })),
    ...all.tasks.map((row) =>
      filled({
        ...taskRecord(row),
        depends: all.depends.get(row.id),
        labels: all.labels.get(row.id),
        files: all.files.get(row.id),
        criteria: criteria.get(row.id)?.map(({ n, text, source, state }) => ({ n, text, source, state })),
        notes: notesOf(row.id),
      }),
    ),
    ...all.sessions.map((row) => filled({ ...sessionRecord(row), notes: notesOf(row.id) })),
    ...sorted(all.claims, ({ task, owner }) => `${wide(taskNumber(task))} ${owner}`).map(claimRecord),
    ...sorted(all.focus, ({ session, agent }) => `${session} ${agent}`).map(focusRecord),
    ...all.spawns.map(spawnRecord),
    ...all.entries.map(entryRecord),
    ...plainNames.flatMap((table) => all.plain[table].map((row) => plainRecord(table, row))),
    ...all.audit.map(auditRecord),
  ].map(line)
}

// By code unit, for every database sorts text in its own way.
const sorted = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
const wide = (n: number): string => String(n).padStart(12, '0')

// Invisible and direction-changing characters are legal in JSON and harmful on a terminal. Escaped, they mean the same.
const harmful = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const line = (record: object): string =>
  JSON.stringify(record).replace(harmful, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

/** Leaves out what is empty. */
const filled = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && value !== null && value !== '' && !isEmptyList(value),
    ),
  )
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
const time = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const taskRecord = (row: TaskRow) => ({
  record: 'task',
  id: row.id,
  title: row.title,
  description: row.description,
  type: row.type,
  parent: row.parent,
  status: row.status,
  reason: row.reason,
  priority: priorities[row.priority],
  size: row.size,
  stage: row.stage,
  completes: row.completes === 'manual' ? row.completes : null,
  origin: row.origin,
  outcome: row.outcome,
  epoch: row.epoch,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  completedAt: time(row.completed_at),
})

const noteRecord = ({ seq, at, actor, text, task, session }: StoredNote) =>
  filled({ seq, at: iso(at), by: actor, text, session: task === null ? null : session })

const sessionRecord = (row: SessionRow) => ({
  record: 'session',
  seq: row.seq,
  id: row.id,
  name: row.name,
  scope: row.scope,
  status: row.status,
  actor: row.actor,
  startedAt: iso(row.started_at),
  endedAt: time(row.ended_at),
})

const claimRecord = ({ task, owner, epoch, state, expires_at }: ClaimRow) => ({
  record: 'claim',
  task,
  owner,
  epoch,
  state,
  expiresAt: iso(expires_at),
})

const focusRecord = ({ session, agent, task, since }: FocusRow) =>
  filled({ record: 'focus', session, agent, task, since: iso(since) })

const spawnRecord = ({ at, started_at, asked, report, prompt, ...row }: SpawnRow) => ({
  ...filled({ record: 'spawn', ...row, at: iso(at), startedAt: time(started_at) }),
  asked: JSON.parse(asked) as unknown,
  report: JSON.parse(report) as unknown,
  prompt,
})

const entryRecord = ({ appended_at, line_sha256, ...row }: EntryRow) =>
  filled({ record: 'entry', ...row, lineSha256: line_sha256, appendedAt: iso(appended_at) })

const auditRecord = ({ seq, at, actor, session, operation, task, before, after }: AuditRow) => ({
  ...filled({ record: 'audit', seq, at: iso(at), actor, session, operation, task }),
  ...(before !== null && { before: JSON.parse(before) as unknown }),
  ...(after !== null && { after: JSON.parse(after) as unknown }),
})
