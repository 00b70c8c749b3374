import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import type { ObservedAtom } from '../evidence/observed-atom.ts'
import * as evidence from '../evidence/sql.ts'
import type { Standing } from '../evidence/standing.ts'
import { resolvePath } from '../kernel/path.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'

/** What the single questions about a task start from. */
export interface Sight {
  context: Context
  row: TaskRow
  spawn: SpawnRow
  standing: Standing
  entries: (Omit<EntryRow, 'body'> & { body: Record<string, unknown> })[]
  given: Given
}

/** What stands behind gates and criteria. */
export interface Given {
  commits: string[]
  files: string[]
  /** The commit each gate was shown at. */
  shownAt: { gate: string; head: string }[]
}

/** Each attempt proves its own work. */
export const givenAsEvidence = async ({ store }: Context, spawn: SpawnRow): Promise<Given> => {
  const rows = (await evidence.latestOf(store, spawn.task)).filter((row) => row.spawn === spawn.id)
  const atoms = rows.flatMap((row) => JSON.parse(row.atoms) as ObservedAtom[])
  return {
    commits: [...new Set(atoms.flatMap((atom) => (atom.kind === 'commit' ? [atom.sha] : [])))],
    files: [
      ...new Set(atoms.flatMap((atom) => (atom.kind === 'files' ? atom.files.map(({ path }) => path) : []))),
    ],
    shownAt: rows.flatMap(({ gate, head, state }) =>
      gate !== null && head !== null && state === 'passed' ? [{ gate, head }] : [],
    ),
  }
}

/** The work folder the agent had to itself; undefined where it worked in the project, or the folder is gone. */
export const ownFolder = ({ context: { host, root }, spawn }: Sight): string | undefined => {
  const given = optionsOf(spawn)?.worktree
  if (given === undefined) return undefined
  const folder = host.files.realPath(resolvePath(root, given))
  return folder !== root && host.files.kind(folder) === 'folder' ? folder : undefined
}

/** Where the work lies now: a work folder that was merged and taken away left it to the project. */
export const workFolder = (sight: Sight): string => ownFolder(sight) ?? sight.context.root
