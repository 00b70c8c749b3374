import type { SpawnRow } from '../../store/spawns.ts'
import type { Pins } from './own-commands.ts'
import type { Report } from './record.ts'

/** What is kept with a spawn, and not only shown. */
export type KeptReport = Report & {
  /** The project's commands when it was handed out. */
  commands?: Pins
}

export const pinsOf = (spawn: Pick<SpawnRow, 'report'> | undefined): Pins | undefined =>
  spawn && (JSON.parse(spawn.report) as KeptReport).commands
