import { leaseMs } from '../claims/lease.ts'
import { isSpawnOf } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import { searchWords } from '../manifest/entry.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import { repairCheck, rowCheck } from './check-shapes.ts'
import { listNames, mostShown, plural } from './doctor-finding.ts'
import { quarantinedSince } from './sql/entries.ts'
import {
  claimsOnInactive,
  expiredBefore,
  expiringAfter,
  closedParents as findClosedParents,
  markClaimLost,
  sessionsWithoutEpic,
  shortenClaims,
  unclaimedActive,
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

export const closedParents = rowCheck({
  id: 'parents',
  question: 'Is every parent of an open task open?',
  severity: 'error',
  find: (db) => findClosedParents(db, mostShown),
  what: ({ id, status, child }) => `${id} is ${status}, but its child ${child} is open`,
  why: 'tasks that depend on the parent start too early',
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
            what: `${listNames(
              unclaimed.rows.map(({ id }) => id),
              unclaimed.total,
            )} ${unclaimed.total === 1 ? 'is' : 'are'} active but not claimed`,
            why: 'no agent works on such a task, and cleo ready does not list it',
            where: unclaimed.rows[0]!.id,
          }
        : undefined,
      inactive.total > 0
        ? {
            what: `${listNames(claimed, inactive.total)} ${inactive.total === 1 ? 'has a claim but is' : 'have claims but are'} not active`,
            why: 'no agent works on such a task, but the claim keeps other agents from it',
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

export const expiredClaims = rowCheck({
  id: 'forgotten',
  question: 'Was every claim renewed within the last 30 days?',
  severity: 'warning',
  find: (db, now) => expiredBefore(db, now - 30 * day, mostShown),
  what: ({ id, owner, expires_at }, now) =>
    `${id} is active, but ${owner} has not renewed its claim for ${Math.floor((now - expires_at) / day)} days`,
  why: 'the task looks taken, but its agent may be gone',
  where: ({ id }) => id,
  fix: ({ id, owner }) => (isSpawnOf(owner, id) ? `cleo respawn ${id} --ref` : `cleo focus set ${id}`),
})

export const sessions = rowCheck({
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

export const quarantine = rowCheck({
  id: 'quarantine',
  // Only the last week is checked. Lines stay in quarantine, so doctor would otherwise report each of them forever.
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
    const shown = rows.map(({ kind, ref, found }) => `${kind} ${ref} (${plural(found, 'time', 'times')})`)
    return [
      {
        what: readable
          ? `texts that the search index holds a wrong number of times: ${listNames(shown, total)}`
          : 'the search index of entries and memories is damaged',
        why: 'cleo manifest find and cleo memory find miss texts, or find deleted ones',
      },
    ]
  },
  async repair({ db, record }) {
    await rebuildTexts(db, searchWords)
    await record({ after: { fixed: 'words' } })
    return 1
  },
})

/**
 * Twice the longest lease that can be configured. If a claim is still valid for longer than this, the clock was wrong
 * when the claim was made.
 */
const farAhead = 48 * 60 * 60_000

export const claimClock = repairCheck({
  id: 'clock',
  question: 'Does every claim expire within two days?',
  async find(store) {
    const { rows, total } = await expiringAfter(store, (await store.now()) + farAhead, mostShown)
    if (total === 0) return []
    const shown = rows.map(({ id, owner, expires_at }) => `${id} (${owner}, until ${iso(expires_at)})`)
    return [
      {
        what: `${listNames(shown, total)} ${total === 1 ? 'was' : 'were'} claimed while the clock was wrong`,
        why: 'no other agent gets such a task until the claim expires; --fix shortens the claim to an ordinary lease',
        where: rows[0]!.id,
      },
    ]
  },
  async repair({ db, now, record }) {
    const { rows, total } = await expiringAfter(db, now + farAhead, Number.MAX_SAFE_INTEGER)
    if (total === 0) return 0
    await shortenClaims(db, now + farAhead, now + leaseMs({}))
    await record({ after: { fixed: 'clock', tasks: rows.slice(0, 100).map(({ id }) => id) } })
    return total
  },
})
