import * as spawns from '../claims/sql/spawns.ts'
import { standingOf } from '../evidence/standing.ts'
import type { Protocol } from '../kernel/protocol.ts'
import * as manifest from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { breakdownOf } from './observe-breakdown.ts'
import { changedFiles, commitsOf } from './observe-git.ts'
import { authorsOf, logSince } from './observe-log.ts'
import { lookUpMentions } from './observe-mentions.ts'
import { outputOf } from './observe-output.ts'
import { releaseOf } from './observe-release.ts'
import { votesOf } from './observe-votes.ts'
import type { RuleFacts } from './rules/rule-facts.ts'
import { evidenceGiven, type SpawnedTask } from './spawned-task.ts'

/**
 * Collects the facts about a task and its last spawn: what was recorded, submitted, committed and left on disk.
 * Returns undefined for a task that was never spawned. Evidence is checked again only while the task is open: changes
 * that others make after the task is done do not count against the task.
 */
export const observeTask = async (context: Context, row: TaskRow): Promise<RuleFacts | undefined> => {
  const spawn = await spawns.latest(context.store, row.id)
  if (!spawn) return undefined
  const open = row.status !== 'done' && row.status !== 'cancelled'
  const standing = await standingOf(context, row.id, { recheck: open })
  const entries = (await manifest.allOfSpawn(context.store, spawn.id)).map((entry) => ({
    ...entry,
    body: JSON.parse(entry.body) as Record<string, unknown>,
  }))
  const spawned: SpawnedTask = {
    context,
    row,
    spawn,
    standing,
    entries,
    given: await evidenceGiven(context, spawn),
  }
  const file = await outputOf(spawned)
  const entry = entries.at(-1)
  return {
    task: { id: row.id, type: row.type, status: row.status, stage: standing.stage },
    protocol: spawn.protocol,
    spawn: spawn.id,
    ...(await logSince(context.store, spawn)),
    entries: entries.map(({ id, status, sha256, body }) => ({ id, status, sha256, body })),
    ...(file && { file }),
    linked:
      entry !== undefined &&
      (await links.ofEntry(context.store, entry.id)).some(({ task }) => task === row.id),
    gates: standing.gates,
    criteria: standing.criteria,
    filesGiven: spawned.given.files,
    mentions: await lookUpMentions(spawned, file?.text),
    git: await commitsOf(spawned),
    ...(await observersOf[spawn.protocol]?.(spawned)),
    ...(standing.stage === 'validation' && { authors: await authorsOf(spawned) }),
  }
}

/** Functions that collect the facts that only one protocol's rules need. */
const observersOf: Partial<Record<Protocol, (spawned: SpawnedTask) => Promise<Partial<RuleFacts>>>> = {
  research: async (spawned) => ({ changed: await changedFiles(spawned) }),
  consensus: async (spawned) => ({ votes: await votesOf(spawned) }),
  decomposition: async (spawned) => ({ breakdown: await breakdownOf(spawned) }),
  release: async (spawned) => ({ release: await releaseOf(spawned) }),
}
