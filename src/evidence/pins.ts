import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Pins } from '../commands/project-commands.ts'
import type { Config } from '../kernel/config.ts'
import { type Gate, gates } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import { requiredGates } from './required-gates.ts'

/** What was so when a task was handed out: whoever was sent does not change what is asked by changing a file. */
export interface Terms {
  required: readonly Gate[]
  /** Report files count as proof. */
  reports: boolean
  git: boolean
  /** The commit that was checked out when the task was handed out first. */
  began?: string
}

/** What is kept with a spawn, and not only shown. */
export interface KeptReport {
  /** The project's commands when it was handed out. */
  commands?: Pins
  terms?: Terms
}

type Kept = Pick<SpawnRow, 'report'> | undefined

export const pinsOf = (spawn: Kept): Pins | undefined => keptOf(spawn)?.commands

export const termsOf = (spawn: Kept): Terms | undefined => keptOf(spawn)?.terms

const keptOf = (spawn: Kept): KeptReport | undefined => spawn && (JSON.parse(spawn.report) as KeptReport)

/** The gates a spawn was sent with, and those the configuration has come to ask for since. */
export const gatesAskedOf = (
  spawn: Pick<SpawnRow, 'report' | 'protocol'>,
  stage: Stage | null,
  config: Config,
): readonly Gate[] => {
  const now = requiredGates(spawn.protocol, stage ?? spawn.protocol, config)
  const then = termsOf(spawn)?.required ?? []
  return gates.filter((gate) => now.includes(gate) || then.includes(gate))
}
