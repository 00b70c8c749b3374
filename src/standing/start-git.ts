import * as spawns from '../claims/sql/spawns.ts'
import { type Evidence, readEvidence } from '../evidence/evidence.ts'
import type { EvidenceFolder } from '../evidence/evidence-folder.ts'
import { keptCommits } from '../evidence/kept-commits.ts'
import { isAboutCommit } from '../evidence/recheck.ts'
import { historyOf } from '../evidence/spawn-history.ts'
import { termsOf } from '../evidence/spawn-terms.ts'
import { spawnFolder } from '../evidence/spawn-work.ts'
import * as evidence from '../evidence/sql.ts'
import { startComparison } from '../git/start-comparison.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { closed } from '../kernel/task.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { gatesForChanges, gatesRequiredOf } from './required-gates.ts'

export interface StartedGit {
  spawn: string
  /** The number of the newest evidence when git was started. */
  evidence: number
  where: EvidenceFolder
}

/**
 * Starts the git processes that the check of a task will need, so that they run while CLEO does other work. Returns
 * undefined if none is needed.
 */
export const startGit = async (
  context: Context,
  id: string,
  spawnId: string,
): Promise<StartedGit | undefined> => {
  const { store, host } = context
  const spawn = await spawns.find(store, spawnId)
  if (!spawn || termsOf(spawn)?.git === false) return undefined
  const rows = (await evidence.latestOf(store, id)).map(readEvidence)
  const own = rows.filter((row) => row.spawn === spawn.id)
  const needs = await neededFrom(context, id, spawn, own)
  if (!needs.commits && !needs.files) return undefined
  const where = await spawnFolder(context, spawn, own)
  if (!where.git) return undefined
  // Ignore a failure here: if the caller ends without waiting for these promises, an unhandled rejection would end the
  // process.
  if (needs.commits)
    historyOf(context, where, id, keptCommits(context, where, spawn.id, own)).catch(() => undefined)
  const started = needs.files ? await startComparison(host, where.top) : undefined
  return {
    spawn: spawn.id,
    evidence: rows.at(-1)?.seq ?? 0,
    where: { ...where, ...(started && { started }) },
  }
}

/** The protocols with rules about commits. Research also has a rule about changed files. */
const judgedByCommits: readonly Protocol[] = ['research', 'implementation', 'contribution']

/**
 * Returns two answers. `commits`: whether the check will ask git for the commits of the spawn. `files`: whether it
 * will ask git for the files that differ from HEAD.
 */
const neededFrom = async (
  { store, config }: Context,
  id: string,
  spawn: spawns.SpawnRow,
  own: readonly Evidence[],
): Promise<{ commits: boolean; files: boolean }> => {
  const task = await tasks.find(store, id)
  if (!task || closed(task.status)) return { commits: false, files: false }
  const entry = await entries.deciding(store, id, spawn.id)
  const isSubmitted = entry !== undefined && entry.status !== 'blocked'
  const mayAddGates = gatesForChanges(spawn, gatesRequiredOf(spawn, task.stage, config), config).length > 0
  const isProved = own.some((row) => row.state === 'passed' && row.worktree !== null && isAboutCommit(row))
  return {
    commits: mayAddGates || (isSubmitted && judgedByCommits.includes(spawn.protocol)),
    files: mayAddGates || isProved || (isSubmitted && spawn.protocol === 'research'),
  }
}
