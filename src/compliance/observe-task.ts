import * as spawns from '../claims/sql/spawns.ts'
import { historyAt } from '../git/git-history.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { closed } from '../kernel/task.ts'
import * as manifest from '../manifest/sql/entries.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { type Standing, standingOf } from '../standing/standing.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { authorsOf, logSince } from './observe-log.ts'
import { lookUpClaims, lookUpMentions } from './observe-mentions.ts'
import { outputOf } from './observe-output.ts'
import type { GitFacts, RuleFacts } from './rules/rule-facts.ts'
import { evidenceGiven, type SpawnedTask } from './spawned-task.ts'

/**
 * Collects the facts about a task and its last spawn: what was recorded, submitted, committed and left on disk.
 * Returns undefined for a task that was never spawned. Checks evidence again only while the task is open, because
 * later work can change the files of a done task.
 */
export const observeTask = async (context: Context, row: TaskRow): Promise<RuleFacts | undefined> => {
  const spawn = await spawns.latest(context.store, row.id)
  if (!spawn) return undefined
  const standing = await standingOf(context, row.id, { recheck: !closed(row.status) })
  const entries = (await manifest.allOfSpawn(context.store, spawn.id)).map((entry) => ({
    ...entry,
    body: JSON.parse(entry.body) as Record<string, unknown>,
  }))
  const given = await evidenceGiven(context, spawn)
  const spawned: SpawnedTask = { context, row, spawn, standing, entries, given }
  const facts = await workFacts(spawned)
  const entry = entries.at(-1)
  return {
    ...facts,
    ...(await logSince(context.store, spawn)),
    linked:
      entry !== undefined &&
      (await links.ofEntry(context.store, entry.id)).some(({ task }) => task === row.id),
    mentions: await lookUpMentions(spawned, facts.file?.text),
  }
}

/**
 * Collects the facts for the rules that decide whether a task can become done. Does not look up whether the entry
 * is linked to the task, because none of these rules needs it. Does not look up the commits given as evidence,
 * because the contract checks them. Reads the log only in the validation stage.
 */
export const observeSubmitted = async (context: Context, standing: Standing): Promise<RuleFacts> => {
  const spawn = (await spawns.find(context.store, standing.spawn!.id))!
  const row = (await tasks.find(context.store, standing.task))!
  const entry = (await manifest.ofSpawn(context.store, spawn.id))!
  const entries = [{ ...entry, body: standing.entry!.body }]
  const given = await evidenceGiven(context, spawn)
  const spawned: SpawnedTask = { context, row, spawn, standing, entries, given }
  const isValidation = standing.stage === 'validation'
  return {
    ...(await workFacts(spawned)),
    log: isValidation ? (await logSince(context.store, spawn)).log : [],
    linked: false,
    mentions: await lookUpClaims(spawned),
  }
}

const workFacts = async (
  spawned: SpawnedTask,
): Promise<Omit<RuleFacts, 'log' | 'returned' | 'linked' | 'mentions'>> => {
  const { row, spawn, standing, entries, given } = spawned
  const file = await outputOf(spawned)
  return {
    task: {
      ...{ id: row.id, title: row.title, type: row.type, status: row.status, stage: standing.stage },
      ...(row.landed_at !== null && { landed: true as const }),
    },
    protocol: spawn.protocol,
    spawn: spawn.id,
    entries: entries.map(({ id, status, sha256, body }) => ({ id, status, sha256, body })),
    ...(file && { file }),
    gates: standing.gates,
    criteria: standing.criteria,
    filesGiven: given.files,
    ...(await observersOf[spawn.protocol]?.(spawned)),
    ...(standing.stage === 'validation' && { authors: await authorsOf(spawned) }),
  }
}

const withCommits = async (spawned: SpawnedTask) => ({ git: await commitsOf(spawned) })

const observersOf: Partial<Record<Protocol, (spawned: SpawnedTask) => Promise<Partial<RuleFacts>>>> = {
  implementation: withCommits,
  contribution: withCommits,
  research: async (spawned) => ({
    changed: await changedFiles(spawned),
  }),
  consensus: async (spawned) => ({ votes: await (await import('./observe-votes.ts')).votesOf(spawned) }),
  decomposition: async (spawned) => ({
    breakdown: await (await import('./observe-breakdown.ts')).breakdownOf(spawned),
  }),
  release: async (spawned) => ({ release: await (await import('./observe-release.ts')).releaseOf(spawned) }),
}

const mostSubjects = 50

/** If the protocol is contribution, also returns the subjects of earlier commits. */
const commitsOf = async ({ context, spawn, standing }: SpawnedTask): Promise<GitFacts | undefined> => {
  const work = await standing.work!.commits()
  if (!work) return undefined
  const { folder, isOwn, commits } = work
  const oldest = spawn.protocol === 'contribution' ? commits.at(-1) : undefined
  return {
    commits,
    isOwn,
    command: gitCommand(context.host.cwd, folder),
    earlier: oldest ? await historyAt(context.host, folder).subjectsBefore(oldest.sha, mostSubjects) : [],
  }
}

/** Returns the files that the spawn changed outside the output folders. */
const changedFiles = async ({ context, standing }: SpawnedTask): Promise<RuleFacts['changed']> => {
  const changes = await standing.work!.changes()
  return changes && { ...changes, command: gitCommand(context.host.cwd, changes.folder) }
}

const gitCommand = (cwd: string, folder: string): string =>
  cwd === folder ? 'git' : `git -C ${shellQuote(folder)}`
