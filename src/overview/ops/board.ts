import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { priorities } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { iso } from '../../kernel/time.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import type { Total } from '../../store/count-up-to.ts'
import { type Card, cards } from '../../task-lists/sql/board.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as taskCounts from '../../tasks/sql/counts.ts'
import { type BusyCard, busyCards, countReady } from '../../tasks/sql/search.ts'
import { countsFrom, countsShape } from '../counts.ts'
import { type BoardCard, drawBoard } from '../draw-board.ts'

const card = () =>
  v.object({
    id: v.string(),
    title: v.string(),
    /** Left out if the priority is medium. */
    priority: v.optional(v.picklist(priorities)),
    /** Who works on the task: a spawn, or the person or agent that has the claim. */
    by: v.optional(v.string()),
    /** When work on the task began, or when the task was done. */
    since: v.optional(v.string()),
    unstarted: v.optional(v.literal(true)),
    /** True if the spawn's return was refused. */
    refused: v.optional(v.literal(true)),
    /** How many minutes the spawn has been quiet. */
    quietFor: v.optional(v.number()),
    /** Why the task is blocked. */
    why: v.optional(v.string()),
  })

const column = () =>
  v.object({
    tasks: v.array(card()),
    /** How many tasks the column has besides the shown ones. */
    more: v.optional(v.number()),
    /** True if there might be more tasks than `more` says. */
    atLeast: v.optional(v.literal(true)),
  })

/** At most this many ready tasks are counted besides the shown ones. */
const mostMore = 100

export const board = operation({
  name: 'tasks.board',
  kind: 'query',
  tier: 1,
  summary: 'Show ready, active, blocked and done tasks in columns.',
  get input() {
    return v.strictObject({
      epic: v.optional(describe(TaskId, 'only tasks of this epic')),
      limit: v.optional(describe(Limit(), 'maximum number of tasks in each column'), 5),
    })
  },
  output: () =>
    v.object({
      epic: v.optional(v.string()),
      /** The time of this answer. */
      at: v.string(),
      counts: countsShape(),
      ready: column(),
      active: column(),
      /** Tasks that are done, but not merged into the integration branch. */
      merge: column(),
      blocked: column(),
      /** The done tasks, the most recently completed first. */
      done: column(),
    }),
  errors: ['task.not_found', 'epic.expected'],
  cli: {
    command: 'board',
    suggestedFor: ['kanban', 'overview'],
    positional: ['epic'],
    examples: ['cleo board', 'cleo board T001'],
  },
  human: drawBoard,
  async run({ epic, limit }, context) {
    const { store, session } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const now = await store.now()
    const found = await taskCounts.countByStatus(store, root)
    const counts = await countsFrom(store, root, found)
    const rows = await cards(store, root, { limit, statuses: found })
    const active = await activeCards(context, root, { now, limit })
    const place = (name: Card['place'], total: number, atLeast?: true) => {
      const tasks = inOrder(rows.filter((row) => row.place === name)).map(toCard)
      return {
        tasks,
        ...(total > tasks.length && { more: total - tasks.length, ...(atLeast && { atLeast }) }),
      }
    }
    // If fewer ready tasks were found than asked for, all of them were found. In that case, no other query has to count
    // them.
    const shown = rows.filter((row) => row.place === 'ready').length
    const ready: Total = shown < limit ? { total: shown } : await countReady(store, root, limit + mostMore)
    return ok({
      ...(root !== undefined && { epic: root }),
      at: iso(now),
      counts,
      ready: place('ready', ready.total, ready.atLeast),
      active,
      merge: place('unmerged', counts.unmerged ?? 0),
      blocked: place('blocked', counts.blocked ?? 0),
      done: place('done', counts.done ?? 0),
    })
  },
})

/** Sorts the cards, because the database returns the parts of a UNION in any order. */
const inOrder = (rows: Card[]): Card[] =>
  sorted(rows, (a, b) =>
    a.place === 'done'
      ? Number(b.completed_at) - Number(a.completed_at) || b.seq - a.seq
      : a.priority - b.priority || b.unblocks - a.unblocks || a.seq - b.seq,
  )

/** Sorts rows. If they are in order already, as usual, does not call `sort`, because its first call takes time. */
const sorted = <Row>(rows: Row[], compare: (a: Row, b: Row) => number): Row[] => {
  for (let i = 1; i < rows.length; i++) if (compare(rows[i - 1]!, rows[i]!) > 0) return rows.sort(compare)
  return rows
}

const toCard = ({ id, title, priority, reason, completed_at, place }: Card): BoardCard => ({
  id,
  title,
  ...(priorities[priority] !== 'medium' && place !== 'done' && { priority: priorities[priority]! }),
  ...(place === 'blocked' && reason && { why: reason }),
  ...(completed_at !== null && { since: iso(Number(completed_at)) }),
})

/** The task that has been active the longest comes first. */
const activeCards = async (
  context: Context,
  root: string | undefined,
  { now, limit }: { now: number; limit: number },
) => {
  const rows = sorted(
    (await busyCards(context.store)).filter((row) => root === undefined || row.root === root),
    (a, b) =>
      ('at' in a && a.at !== null ? a.at : 0) - ('at' in b && b.at !== null ? b.at : 0) || a.seq - b.seq,
  )
  const tasks: BoardCard[] = []
  for (const row of rows.slice(0, limit)) tasks.push(await activeCard(context, row, now))
  return { tasks, ...(rows.length > tasks.length && { more: rows.length - tasks.length }) }
}

const activeCard = async (context: Context, row: BusyCard, now: number): Promise<BoardCard> => {
  const { id, title, priority } = row
  const common = { id, title, ...(priorities[priority] !== 'medium' && { priority: priorities[priority]! }) }
  if (row.spawn === null) return { ...common, ...(row.owner !== null && { by: row.owner }) }
  const { outLine } = await import('../out-list.ts')
  const { spawnId, since, quietFor, unstarted, refused } = await outLine(context, row, now)
  return {
    ...common,
    by: spawnId,
    since,
    ...(unstarted && { unstarted }),
    ...(refused && { refused }),
    ...(quietFor !== undefined && { quietFor }),
  }
}
