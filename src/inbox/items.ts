import * as v from 'valibot'
import { type Counted, countAll } from '../consensus/read.ts'
import * as consensus from '../consensus/sql.ts'
import { rounds } from '../consensus/words.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { iso } from '../kernel/time.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as questions from '../questions/sql.ts'
import type { Db } from '../store/port.ts'

export const itemShape = () =>
  v.object({
    id: v.string(),
    kind: v.picklist(['blocked', 'contested', 'waiver', 'person', 'stage']),
    since: v.string(),
    task: v.optional(v.string()),
    title: v.optional(v.string()),
    /** Who asked. */
    by: v.optional(v.string()),
    what: v.string(),
    blocker: v.optional(
      v.object({ category: v.string(), text: v.string(), alternatives: v.optional(v.array(v.string())) }),
    ),
    options: v.optional(v.array(v.object({ option: v.string(), weight: v.number() }))),
    /** The command that answers it. */
    answer: v.string(),
  })
export type Item = v.InferOutput<ReturnType<typeof itemShape>>

/** Where an item stands in the order of all: by time, then tasks, votes, questions, each by number. */
export interface Place {
  at: number
  rank: 0 | 1 | 2
  seq: number
}

export interface Placed {
  place: Place
  item: Item
}

/** What of one kind comes behind a place: at the same moment only what ranks behind it. */
const behind = ({ at, rank, seq }: Place, own: Place['rank']): { at: number; seq: number } => ({
  at,
  seq: own === rank ? seq : own > rank ? 0 : Number.MAX_SAFE_INTEGER,
})

export const blockedTasks = async (db: Db, after: Place, limit: number): Promise<Placed[]> => {
  const rows = await questions.blocked(db, behind(after, 0), limit)
  const told = await entries.latestOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ seq, id, title, reason, updated_at }) => {
    const entry = told.find(({ task, status }) => task === id && status === 'blocked')
    const blocker = entry && blockerOf(entry.body)
    return {
      place: { at: updated_at, rank: 0, seq },
      item: {
        ...{ id, kind: 'blocked' as const, since: iso(updated_at), title },
        what: cut(reason ?? ''),
        ...(blocker && { blocker }),
        answer: `cleo inbox answer ${id} --text "…"`,
      },
    }
  })
}

/** What the agent wrote of it in its entry; lines from elsewhere may hold anything. */
const blockerOf = (body: string): Item['blocker'] => {
  const { blocker } = JSON.parse(body) as { blocker?: Record<string, unknown> }
  if (typeof blocker?.['category'] !== 'string' || typeof blocker['text'] !== 'string') return undefined
  const given = Array.isArray(blocker['alternatives']) ? blocker['alternatives'] : []
  const alternatives = given.filter((each) => typeof each === 'string').slice(0, 5)
  return {
    category: blocker['category'],
    text: cut(blocker['text']),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(cut) }),
  }
}

/** Few at any time: all of them, for only their votes tell which are contested. */
export const contested = async (db: Db): Promise<Placed[]> => {
  const counted = await countAll(db, await consensus.undecided(db, rounds))
  return counted.filter(({ verdict }) => verdict === 'contested').map(toItem)
}

const toItem = ({ row, options }: Counted): Placed => {
  const id = numberedId('C', row.seq)
  return {
    place: { at: row.at, rank: 1, seq: row.seq },
    item: {
      ...{ id, kind: 'contested' as const, since: iso(row.at), task: row.task },
      what: cut(row.question),
      options: options.map(({ option, weight }) => ({ option, weight })),
      answer: `cleo inbox answer ${id} --choose "…" --reason "…"`,
    },
  }
}

export const openQuestions = async (db: Db, after: Place, limit: number): Promise<Placed[]> => {
  const rows = await questions.unanswered(db, behind(after, 2), limit)
  return rows.map((row) => {
    const id = numberedId('Q', row.seq)
    return {
      place: { at: row.at, rank: 2, seq: row.seq },
      item: {
        ...{ id, kind: row.kind, since: iso(row.at) },
        ...(row.task !== null && { task: row.task }),
        by: row.actor,
        what: cut(row.question),
        answer: `cleo inbox answer ${id} --yes`,
      },
    }
  })
}

const mostShown = 300

const cut = (text: string): string =>
  text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text
