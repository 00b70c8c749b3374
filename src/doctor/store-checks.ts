import { ok } from '../kernel/result.ts'
import { taskId } from '../kernel/task-id.ts'
import { searchWords } from '../manifest/entry.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Db, Store } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { setCounter } from '../transfer/sql.ts'
import type { StoreCheck } from './check.ts'
import {
  type DoctorFinding,
  fixableFinding,
  listNames,
  manualFinding,
  mostShown,
  plural,
} from './doctor-finding.ts'
import { quarantinedSince } from './sql/entries.ts'
import type { LimitedRows } from './sql/limited.ts'
import {
  claimsOnInactive,
  expiredBefore,
  closedParents as findClosedParents,
  type MiscountedTask,
  markClaimLost,
  miscounted,
  counter as readCounter,
  recountTotals,
  recountWrong,
  sessionsWithoutEpic,
  unclaimedActive,
  type WrongTotal,
  wrongTotals,
} from './sql/tasks.ts'
import {
  isTaskTextCurrent,
  isTextIndexReadable,
  rebuildTaskText,
  rebuildTexts,
  wrongTexts,
} from './sql/text-index.ts'

const day = 24 * 60 * 60_000
const everyRow = 1_000_000

interface RowCheck<Row> {
  id: string
  question: string
  severity: DoctorFinding['severity']
  find(db: Db, now: number): Promise<LimitedRows<Row>>
  what(row: Row, now: number): string
  why: string
  where(row: Row): string
  fix(row: Row): string
  advice?: string
}

/** A check that reports one finding for each wrong row. A person decides what to do about each. */
const perRow = <Row>({
  id,
  question,
  severity,
  find,
  what,
  why,
  where,
  fix,
  advice,
}: RowCheck<Row>): StoreCheck => ({
  id,
  question,
  needs: 'store',
  async find({ store }) {
    const now = await store.now()
    const { rows, total } = await find(store, now)
    const more = total > mostShown ? ` (and ${total - mostShown} more like it)` : ''
    return rows.map((row, i) =>
      manualFinding({
        kind: 'state',
        severity,
        what: `${what(row, now)}${i === 0 ? more : ''}`,
        why,
        where: where(row),
        ...(advice && { advice }),
        fix: fix(row),
      }),
    )
  },
})

interface RepairCheck {
  id: string
  question: string
  find(store: Store): Promise<(Pick<DoctorFinding, 'what' | 'why' | 'where'> | undefined)[]>
  /** Repairs all wrong values in one transaction. Returns how many rows changed. */
  repair(tx: Write): Promise<number>
}

/** A check for wrong values that CLEO can compute again. */
const repairCheck = ({ id, question, find, repair }: RepairCheck): StoreCheck => ({
  id,
  question,
  needs: 'store',
  changesRows: true,
  async find({ store }) {
    const faults = await find(store)
    return faults.flatMap((fault) =>
      fault ? [fixableFinding({ kind: 'state', severity: 'error', ...fault })] : [],
    )
  },
  async fix({ write }: Context) {
    await write(async (tx) => ok(await repair(tx)))
  },
})

export const counts = repairCheck({
  id: 'counts',
  question:
    'Are the counts of blockers, dependents and children of every task right, and the numbers of tasks?',
  async find(store) {
    const tasks = await miscounted(store, mostShown)
    const totals = await wrongTotals(store, mostShown)
    return [
      tasks.total > 0
        ? {
            what: `wrong counts: ${listNames(tasks.rows.map(differences), tasks.total)}`,
            why: 'cleo orchestrate ready lists tasks too early, or never',
            where: tasks.rows[0]!.id,
          }
        : undefined,
      totals.total > 0
        ? {
            what: `wrong numbers of tasks: ${listNames(totals.rows.map(difference), totals.total)}`,
            why: 'cleo orchestrate status and cleo list show wrong numbers',
          }
        : undefined,
    ]
  },
  async repair({ db, record }) {
    const fixed = await recountWrong(db)
    const { total } = await wrongTotals(db, 1)
    if (total > 0) await recountTotals(db)
    if (fixed.length + total > 0)
      await record({ after: { fixed: 'counts', count: fixed.length + total, tasks: fixed.slice(0, 100) } })
    return fixed.length + total
  },
})

const difference = ({ root, status, kept, counted }: WrongTotal): string =>
  `${kept} ${status} instead of ${counted} in ${root === '' ? 'the project' : root}`

const differences = (row: MiscountedTask): string => {
  const wrong = (['blockers', 'unblocks', 'children'] as const).flatMap((name) =>
    row[name] === row[`real_${name}`] ? [] : [`${name} ${row[name]} instead of ${row[`real_${name}`]}`],
  )
  return `${row.id} (${wrong.join(', ')})`
}

export const counter = repairCheck({
  id: 'counter',
  question: 'Is the number of the next task higher than every number in use?',
  async find(store) {
    const { value, highest } = await readCounter(store)
    if (value >= highest) return []
    return [
      {
        what: `the task counter is ${value}, but ${taskId(highest)} exists`,
        why: 'the next task cannot be added because its id is taken',
        where: taskId(highest),
      },
    ]
  },
  async repair({ db, record }) {
    const { value, highest } = await readCounter(db)
    if (value >= highest) return 0
    await setCounter(db, { name: 'task', value: highest })
    await record({ before: { counter: value }, after: { fixed: 'counter', counter: highest } })
    return 1
  },
})

export const closedParents = perRow({
  id: 'parents',
  question: 'Is every parent of an open task open?',
  severity: 'error',
  find: (db) => findClosedParents(db, mostShown),
  what: ({ id, status, child }) => `${id} is ${status}, but its child ${child} is open`,
  why: 'tasks that depend on it start too early',
  where: ({ id }) => id,
  fix: ({ id, child }) => `cleo reopen ${id} --reason "${child} is open"`,
})

export const claims = repairCheck({
  id: 'claims',
  question: 'Is every active task claimed, and every claimed task active?',
  async find(store) {
    const unclaimed = await unclaimedActive(store, mostShown)
    const inactive = await claimsOnInactive(store, mostShown)
    const claimed = inactive.rows.map(({ id, owner, status }) => `${id} (${status}, claimed by ${owner})`)
    return [
      unclaimed.total > 0
        ? {
            what: `active, but not claimed: ${listNames(
              unclaimed.rows.map(({ id }) => id),
              unclaimed.total,
            )}`,
            why: 'no agent works on it, and cleo orchestrate ready does not list it',
            where: unclaimed.rows[0]!.id,
          }
        : undefined,
      inactive.total > 0
        ? {
            what: `claimed, but not active: ${listNames(claimed, inactive.total)}`,
            why: 'the claim keeps other agents from a task that no agent works on',
            where: inactive.rows[0]!.id,
          }
        : undefined,
    ]
  },
  async repair(tx) {
    const unclaimed = await unclaimedActive(tx.db, everyRow)
    const rows = await tasks.findMany(
      tx.db,
      unclaimed.rows.map(({ id }) => id),
    )
    for (const row of rows.values()) await transition(tx, row, { to: 'pending' })
    const inactive = await claimsOnInactive(tx.db, everyRow)
    for (const claim of inactive.rows) {
      await markClaimLost(tx.db, claim)
      await tx.record({ after: { fixed: 'claims', task: claim.id, lost: claim.owner } })
    }
    return unclaimed.total + inactive.total
  },
})

export const expiredClaims = perRow({
  id: 'forgotten',
  question: 'Was every claim renewed within the last 30 days?',
  severity: 'warning',
  find: (db, now) => expiredBefore(db, now - 30 * day, mostShown),
  what: ({ id, owner, expires_at }, now) =>
    `${id} is active, but ${owner} has not renewed its claim for ${Math.floor((now - expires_at) / day)} days`,
  why: 'the task looks taken, but its agent may be gone',
  where: ({ id }) => id,
  fix: ({ id }) => `cleo focus set ${id}`,
})

export const sessions = perRow({
  id: 'sessions',
  question: 'Does every active session belong to an epic that is open?',
  severity: 'warning',
  find: (db, now) => sessionsWithoutEpic(db, now - 7 * day, mostShown),
  what: ({ id, scope, status, type }) =>
    `session ${id} is active for ${scope}, which ${
      type === 'epic' ? `has been ${status} for over a week` : `is now a ${type}, not an epic`
    }`,
  why: 'an agent in this session gets no task, and every command is refused',
  where: ({ id }) => id,
  advice: 'End the session, or start another',
  fix: () => 'cleo session list',
})

export const quarantine = perRow({
  id: 'quarantine',
  // Lines stay in quarantine, but are reported for a week only: a healthy project reports nothing.
  question: 'Could every manifest line of the last week be read as an entry?',
  severity: 'warning',
  find: (db, now) => quarantinedSince(db, now - 7 * day),
  what: ({ count, path, reason }) =>
    `${plural(count, 'part', 'parts')} of ${path} could not be read as ${count === 1 ? 'an entry' : 'entries'} (${reason})`,
  why: 'what an agent tried to submit is not in the database',
  where: ({ path }) => path,
  fix: () => 'cleo manifest quarantine',
})

export const taskText = repairCheck({
  id: 'text',
  question: 'Does the search index hold the text of every task?',
  find: async (store) => [
    (await isTaskTextCurrent(store))
      ? undefined
      : {
          what: 'the search index of tasks differs from their titles and descriptions',
          why: 'cleo find misses tasks, or finds them by words they no longer contain',
        },
  ],
  async repair({ db, record }) {
    await rebuildTaskText(db)
    await record({ after: { fixed: 'text' } })
    return 1
  },
})

export const entryText = repairCheck({
  id: 'words',
  question: 'Does the search index hold every entry and memory exactly once?',
  async find(store) {
    const { rows, total } = await wrongTexts(store, mostShown)
    const readable = await isTextIndexReadable(store)
    if (total === 0 && readable) return []
    const shown = rows.map(({ kind, ref, found }) => `${kind} ${ref} (${found} times)`)
    return [
      {
        what: readable
          ? `not indexed exactly once: ${listNames(shown, total)}`
          : 'the search index of entries and memories is damaged',
        why: 'cleo manifest find and cleo memory find miss some, or find deleted ones',
      },
    ]
  },
  async repair({ db, record }) {
    await rebuildTexts(db, searchWords)
    await record({ after: { fixed: 'words' } })
    return 1
  },
})
