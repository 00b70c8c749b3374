import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import type { ObservedAtom } from '../evidence/observed-atom.ts'
import * as evidence from '../evidence/sql.ts'
import { resolvePath } from '../kernel/path.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { Standing } from '../standing/standing.ts'
import type { TaskRow } from '../store/rows.ts'

/**
 * A task and its last spawn, with the stored facts about them. The functions in `observe-*.ts` read these facts.
 */
export interface SpawnedTask {
  context: Context
  row: TaskRow
  spawn: SpawnRow
  standing: Standing
  entries: (Omit<EntryRow, 'body'> & { body: Record<string, unknown> })[]
  given: GivenEvidence
}

export interface GivenEvidence {
  commits: string[]
  files: string[]
  /** The commit at which each gate was proved. */
  provedAt: { gate: string; head: string }[]
}

/** Evidence of earlier spawns is left out, because each spawn must prove its own work. */
export const evidenceGiven = async ({ store }: Context, spawn: SpawnRow): Promise<GivenEvidence> => {
  const rows = (await evidence.latestOf(store, spawn.task)).filter((row) => row.spawn === spawn.id)
  const atoms = rows.flatMap((row) => JSON.parse(row.atoms) as ObservedAtom[])
  return {
    commits: [...new Set(atoms.flatMap((atom) => (atom.kind === 'commit' ? [atom.sha] : [])))],
    files: [
      ...new Set(atoms.flatMap((atom) => (atom.kind === 'files' ? atom.files.map(({ path }) => path) : []))),
    ],
    provedAt: rows.flatMap(({ gate, head, state }) =>
      gate !== null && head !== null && state === 'passed' ? [{ gate, head }] : [],
    ),
  }
}

/**
 * Returns the agent's own worktree; undefined if the agent worked in the project's folder or the worktree was removed.
 */
export const ownWorktree = ({ context: { host, root }, spawn }: SpawnedTask): string | undefined => {
  const given = optionsOf(spawn)?.worktree
  if (given === undefined) return undefined
  const folder = host.files.realPath(resolvePath(root, given))
  return folder !== root && host.files.kind(folder) === 'folder' ? folder : undefined
}

export const workFolderOf = (spawned: SpawnedTask): string => ownWorktree(spawned) ?? spawned.context.root
