import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Pins } from '../project-commands/project-commands.ts'

/** The terms under which a task was spawned. They are stored, so an agent cannot lower them by changing a file. */
export interface SpawnTerms {
  required: readonly Gate[]
  /** Whether test reports count as evidence. */
  reports: boolean
  git: boolean
  /** The commit that was checked out when the task was first spawned. */
  began?: string
}

/** The part of a spawn's report that later checks rely on. */
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
