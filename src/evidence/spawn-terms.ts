import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Pins } from '../project-commands/pin.ts'

/**
 * The terms under which a task was spawned. They are stored in the database, so that an agent cannot weaken them by
 * changing a file.
 */
export interface SpawnTerms {
  required: readonly Gate[]
  /** Whether test reports count as evidence. */
  reports: boolean
  git: boolean
  /** True if a person chose these gates by naming the protocol. */
  chosen?: true
  /** The commit that was checked out when the task was first spawned; undefined before the first commit. */
  began?: string
  /** The commit that was checked out when this attempt was spawned; undefined if it equals `began`. */
  from?: string
  /** When the task was first spawned. */
  at?: number
  /** The files that the task declares. */
  files?: readonly string[]
  /** The output folders and the manifest, relative to the work folder. */
  outputs?: readonly string[]
  /** Every folder that can hold output files, relative to the work folder. */
  roots?: readonly string[]
  /** The state of the files before the first spawn. */
  before?: FilesBefore
  /** Hash of the rules of a sparse checkout. */
  sparse?: string
  /** Which tests failed at the commit where the work began, if `gates.baseline` was set. */
  baseline?: Baseline
}

/** The uncommitted files of a shared folder, or all files of a folder without git. */
export interface FilesBefore {
  /**
   * A short hash of each file's content, by path; empty for a deleted file. A path that ends with a slash stands for a
   * whole folder.
   */
  marks: Readonly<Record<string, string>>
  /** Set if there were more files than were recorded. */
  more?: true
}

/** The tests that failed at the commit from which a task was first spawned. */
export interface Baseline {
  /**
   * git's hash of the tested files, by which later spawns find this baseline. Must stay the first key, because
   * `spawnsWithBaseline` searches the JSON for `"baseline":{"tree":`.
   */
  tree?: string
  commit?: string
  command?: string
  failed: number
  /** Undefined if the output did not name every failing test. */
  names?: string[]
  /** Untracked files that the run wrote. */
  made?: string[]
  /** Why there is no baseline. If set, all tests must pass. */
  unavailable?: string
}

/** The part of a spawn's record that is needed by later checks. */
export interface SpawnReport {
  /** The project's commands when the task was spawned. */
  commands?: Pins
  terms?: SpawnTerms
}

type SpawnWithReport = Pick<SpawnRow, 'report'> | undefined

export const pinsOf = (spawn: SpawnWithReport): Pins | undefined => reportOf(spawn)?.commands

export const termsOf = (spawn: SpawnWithReport): SpawnTerms | undefined => reportOf(spawn)?.terms

const reportOf = (spawn: SpawnWithReport): SpawnReport | undefined =>
  spawn && (JSON.parse(spawn.report) as SpawnReport)
