import * as v from 'valibot'
import { type ConsensusTally, readTallies } from '../consensus/read-tally.ts'
import * as consensus from '../consensus/sql.ts'
import { maxRounds } from '../kernel/consensus-line.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { iso } from '../kernel/time.ts'
import * as entries from '../manifest/sql/entries.ts'
import { shownQuestion } from '../questions/shown-question.ts'
import * as questions from '../questions/sql.ts'
import type { Db } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'

export const itemShape = () =>
  v.object({
    id: v.string(),
    kind: v.picklist(['blocked', 'contested', 'waiver', 'person', 'stage']),
    since: v.string(),
    taskId: v.optional(v.string()),
    title: v.optional(v.string()),
    /** The agent that asked. */
    by: v.optional(v.string()),
    /** The question, or the reason why the task is blocked. */
    what: v.string(),
    /** What CLEO knows about the item that the agent asks a person to trust. */
    why: v.optional(v.string()),
    /** The blocker in the agent's manifest entry. */
    blocker: v.optional(
      v.object({ category: v.string(), text: v.string(), alternatives: v.optional(v.array(v.string())) }),
    ),
    /** For a contested vote: the options with their weight. */
    options: v.optional(v.array(v.object({ option: v.string(), weight: v.number() }))),
    /** The command that answers this item. */
    answer: v.string(),
  })
export type InboxLine = v.InferOutput<ReturnType<typeof itemShape>>

/** The inbox is sorted by time, then by rank (tasks, votes, questions), then by number. */
export interface ItemPosition {
  at: number
  rank: 0 | 1 | 2
  seq: number
}

export interface InboxItem {
  position: ItemPosition
  item: InboxLine
}

/**
 * Returns where the next page continues in the list of items of rank `own`. The first argument is the position of the
 * item that was shown last. Among items of the same time, a lower rank was shown before that item, and a higher rank
 * comes after it.
 */
const resumePoint = (
  { at, rank, seq }: ItemPosition,
  own: ItemPosition['rank'],
): { at: number; seq: number } => ({
  at,
  seq: own === rank ? seq : own > rank ? 0 : Number.MAX_SAFE_INTEGER,
})

/** Leaves out tasks that wait for a contested vote, because the vote itself is in the inbox. */
export const blockedTasks = async (
  db: Db,
  after: ItemPosition,
  { limit, votes }: { limit: number; votes: readonly ContestedVote[] },
): Promise<InboxItem[]> => {
  const except = votes.flatMap(({ blocks, item }) => (blocks ? [item.taskId!] : []))
  const rows = await questions.blocked(db, resumePoint(after, 0), { limit, except })
  const latest = await entries.latestOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ seq, id, title, reason, updated_at }) => {
    const entry = latest.find(({ task, status }) => task === id && status === 'blocked')
    const blocker = entry && blockerOf(entry.body)
    return {
      position: { at: updated_at, rank: 0, seq },
      item: {
        ...{ id, kind: 'blocked' as const, since: iso(updated_at), title },
        what: shorten(reason ?? ''),
        ...(blocker && { blocker }),
        answer: `cleo inbox answer ${id} --text "…"`,
      },
    }
  })
}

/** Checks the fields of the blocker, because an ingested line can contain anything. */
const blockerOf = (body: string): InboxLine['blocker'] => {
  const { blocker } = JSON.parse(body) as { blocker?: Record<string, unknown> }
  if (typeof blocker?.['category'] !== 'string' || typeof blocker['text'] !== 'string') return undefined
  const given = Array.isArray(blocker['alternatives']) ? blocker['alternatives'] : []
  const alternatives = given.filter((each) => typeof each === 'string').slice(0, 5)
  return {
    category: blocker['category'],
    text: shorten(blocker['text']),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(shorten) }),
  }
}

/**
 * Verdicts are not stored, so the votes are counted here. A consensus can be contested only in its last round, so
 * earlier rounds are left out.
 */
export const contestedVotes = async (db: Db): Promise<ContestedVote[]> => {
  const undecided = await consensus.undecided(db, maxRounds)
  if (undecided.length === 0) return []
  const contested = (await readTallies(db, undecided)).filter(({ verdict }) => verdict === 'contested')
  const about = await tasks.findMany(
    db,
    contested.map(({ row }) => row.task),
  )
  return contested.map((each) => ({
    ...toItem(each),
    blocks: each.voterTasks.length > 0 && about.get(each.row.task)?.status === 'blocked',
  }))
}

export interface ContestedVote extends InboxItem {
  /** True if the vote blocks the task that needs the decision. The inbox does not list such a task separately. */
  blocks: boolean
}

const toItem = ({ row, options }: ConsensusTally): InboxItem => {
  const id = numberedId('C', row.seq)
  return {
    position: { at: row.at, rank: 1, seq: row.seq },
    item: {
      ...{ id, kind: 'contested' as const, since: iso(row.at), taskId: row.task },
      what: shorten(row.question),
      options: options.map(({ option, weight }) => ({ option, weight })),
      answer: `cleo inbox answer ${id} --choose "…" --reason "…"`,
    },
  }
}

export const openQuestions = async (db: Db, after: ItemPosition, limit: number): Promise<InboxItem[]> => {
  const rows = await questions.unanswered(db, resumePoint(after, 2), limit)
  return rows.map((row) => {
    const id = numberedId('Q', row.seq)
    const { what, why, unanswerable } = shownQuestion(row)
    return {
      position: { at: row.at, rank: 2, seq: row.seq },
      item: {
        ...{ id, kind: row.kind, since: iso(row.at) },
        ...(row.task !== null && { taskId: row.task }),
        by: row.actor,
        what,
        ...((unanswerable || why) && {
          why: unanswerable ? `cannot be approved here: ${unanswerable}` : why,
        }),
        answer: `cleo inbox answer ${id} --${unanswerable ? 'no' : 'yes'}`,
      },
    }
  })
}

const maxShown = 300

const shorten = (text: string): string =>
  text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text
