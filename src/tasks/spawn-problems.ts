import * as spawns from '../claims/sql/spawns.ts'
import type { Config } from '../kernel/config.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { listIds } from '../print/id-list.ts'
import type { Db } from '../store/port.ts'

/** The facts that decide whether a task can be spawned, besides its status, children and dependencies. */
export interface SpawnFacts {
  id: string
  /** True if the task has no description and no criteria; 1 or 0 if the value comes from a database row. */
  undescribed: boolean | number
  root: string
  rootType: string
  files: readonly string[]
}

export interface SpawnProblem {
  code: 'spawn.undescribed' | 'spawn.untraced' | 'spawn.files'
  /** The problem in a few words, for lists of tasks. */
  lacks: string
}

/** How many files a task may declare, unless `spawn.maxFiles` says otherwise. */
export const defaultMostFiles = 3

const mostFiles = ({ spawn }: Config): number => spawn?.maxFiles ?? defaultMostFiles

const undescribedText = 'no description or criterion'
const untracedText = 'in no epic'

/** Returns the reasons why `spawn` would refuse the task. `add`, `update`, `ready` and `next` show them as warnings. */
export const spawnProblems = (
  { undescribed, rootType, files }: Omit<SpawnFacts, 'id' | 'root'>,
  config: Config,
): SpawnProblem[] => {
  const problems: SpawnProblem[] = []
  const most = mostFiles(config)
  if (undescribed) problems.push({ code: 'spawn.undescribed', lacks: undescribedText })
  if (rootType !== 'epic') problems.push({ code: 'spawn.untraced', lacks: untracedText })
  if (files.length > most)
    problems.push({ code: 'spawn.files', lacks: `${files.length} files; a spawn allows at most ${most}` })
  return problems
}

export const spawnFailure = async (
  db: Db,
  { id, root, files }: SpawnFacts,
  { code }: SpawnProblem,
  config: Config,
): Promise<Failure<SpawnProblem['code']>> => {
  if (code === 'spawn.undescribed') return fail(code, { id })
  if (code === 'spawn.files') return fail(code, { id, count: files.length, most: mostFiles(config) })
  const { page } = await import('./sql/list.ts')
  const epics = await page(db, { type: 'epic', open: true, limit: 2 })
  return fail(code, { id, root, epics: epics.map((epic) => epic.id) })
}

/**
 * Returns the command that starts a ready task. For a task that was spawned before, this is `respawn`, which keeps
 * the options of the last attempt.
 */
export const startCommand = async (db: Db, id: string): Promise<string> =>
  `cleo ${(await spawns.lastAttempt(db, id)) ? 'respawn' : 'spawn'} ${id} --ref`

/** Tasks with the same problems share one warning. */
export const spawnWarnings = (
  tasks: readonly (Omit<SpawnFacts, 'root'> & { type: string; children: number })[],
  config: Config,
): string[] => {
  const found = new Map<string, string[]>()
  for (const { id, type, children, ...facts } of tasks) {
    // Epics and tasks with children are never spawned, so they need no warning.
    if (type === 'epic' || children > 0) continue
    const lacks = spawnProblems(facts, config).map((problem) => problem.lacks)
    const same = found.get(lacks.join(', '))
    if (same) same.push(id)
    else if (lacks.length > 0) found.set(lacks.join(', '), [id])
  }
  return [...found].map(
    ([lacks, ids]) => `a spawn would refuse ${listIds(ids)}: ${lacks}${remedy(lacks, ids[0]!)}`,
  )
}

const remedy = (lacks: string, id: string): string => {
  const flags = [
    ...(lacks.includes(undescribedText) ? ['--description "…"'] : []),
    ...(lacks.includes(untracedText) ? ['--parent <epic>'] : []),
  ]
  return flags.length > 0 ? `; fix: cleo update ${id} ${flags.join(' ')}` : ''
}
