import * as v from 'valibot'
import { quietMs } from '../claims/lease.ts'
import { lastCommand, quietMinutes, quietSince } from '../claims/quiet.ts'
import { summaryOf } from '../claims/sql/spawn-agents.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Style } from '../kernel/style.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { formatMinute, formatMinutes, iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import { brief } from '../print/brief.ts'
import type { ReadySet } from '../tasks/ready-set.ts'
import type { OutCard } from '../tasks/sql/search.ts'

export const outShape = () =>
  v.array(
    v.object({
      id: v.string(),
      /** Missing in the answer of `status`, which shows no titles. */
      title: v.optional(v.string()),
      spawnId: v.string(),
      /** When the task was spawned. */
      since: v.string(),
      /** How many minutes the spawn has been quiet. */
      quietFor: v.optional(v.number()),
      unstarted: v.optional(v.literal(true)),
      /** True if the spawn's return was refused. */
      refused: v.optional(v.literal(true)),
      /** The model tokens that the client reported for the spawn's agents. */
      tokens: v.optional(v.number()),
      /** The requirements that were missing when a hook let the agent stop. */
      released: v.optional(v.string()),
    }),
  )
export type OutLine = v.InferOutput<ReturnType<typeof outShape>>[number]

type Reader = Pick<Context, 'store' | 'host' | 'config'>

/** The tasks with the oldest spawns come first. */
export const outLines = async (
  context: Reader,
  { out, now }: Pick<ReadySet, 'out' | 'now'>,
  limit: number,
): Promise<OutLine[]> => {
  const lines: OutLine[] = []
  for (const row of out.slice(0, limit)) lines.push(await outLine(context, row, now))
  return lines
}

export const outLine = async (context: Reader, row: OutCard, now: number): Promise<OutLine> => {
  const quietFor = await quietForMinutes(context, row, now)
  return {
    id: row.id,
    title: brief(row.title, 56),
    spawnId: row.spawn,
    since: iso(row.at),
    ...(quietFor !== undefined && { quietFor }),
    ...(row.started_at === null && { unstarted: true as const }),
    ...(row.back_at !== null && { refused: true as const }),
    // For most spawns, the client reported no agents, so `agents` is null. In that case, do not call `summaryOf`,
    // because the first call of a function takes time.
    ...(row.agents !== null && summaryOf(row)),
  }
}

/** At most this many spawns are checked to find a quiet spawn. */
const mostLookedAt = 3

export const firstQuiet = async (
  context: Reader,
  { out, now }: Pick<ReadySet, 'out' | 'now'>,
): Promise<OutLine | undefined> => {
  const old = out.filter((row) => lastCommand(row) <= now - quietMs(context.config))
  for (const row of old.slice(0, mostLookedAt)) {
    const line = await outLine(context, row, now)
    if (line.quietFor !== undefined) return line
  }
  return undefined
}

const quietForMinutes = async (context: Reader, row: OutCard, now: number): Promise<number | undefined> => {
  if (lastCommand(row) > now - quietMs(context.config)) return undefined
  const spawn = await spawns.timesOf(context.store, row.id, parseSpawnId(row.spawn)!.attempt)
  const since = spawn && (await quietSince(context, spawn, now))
  return since === undefined ? undefined : quietMinutes(since, now)
}

export const outFacts = ({
  id,
  spawnId,
  since,
  quietFor,
  unstarted,
  refused,
  tokens,
  released,
}: OutLine): string =>
  [
    `${spawnId} since ${formatMinute(since)}`,
    unstarted && 'not started',
    quietFor !== undefined && `quiet for ${formatMinutes(quietFor)}`,
    tokens !== undefined && `${tokens} tokens`,
    released !== undefined && `stopped unfinished (${released})`,
    refused && `return refused · cleo respawn ${id} --ref`,
    quietFor !== undefined && !refused && `cleo show ${id}`,
  ]
    .filter(Boolean)
    .join(' · ')

/**
 * Returns one line about an active task. Cuts the title to fit the width. But if less than a quarter of the width is
 * left for the title, a cut title would say too little. In that case, the line has the whole title and is too long.
 * Never cuts the facts.
 */
export const workLine = (id: string, title: string, facts: string, style: Style): string => {
  const room = (style.width ?? 0) - id.length - facts.length - 5
  const shown = room < (style.width ?? 1) / 4 ? title : style.cut(title, room)
  return `${style.cyan(id)}${shown && ` ${shown} `}${facts && ` ${facts}`}`
}

export const drawOut = (lines: readonly OutLine[], style: Style): string[] =>
  style.width === undefined && lines.length > 0
    ? [
        style.dim('out'),
        ...style.table(
          lines.map((each) => [style.cyan(each.id), each.title ?? '', outFacts(each)]),
          1,
        ),
      ]
    : lines.map(
        (each) => `${style.dim('out')}   ${workLine(each.id, each.title ?? '', outFacts(each), style)}`,
      )
