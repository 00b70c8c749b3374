import type { SpawnRow } from '../claims/sql/spawns.ts'
import { termsOf } from '../evidence/spawn-terms.ts'
import type { Config } from '../kernel/config.ts'
import { contracts, type Gate, gates, type Protocol, stageWork } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'

/**
 * The gates come from the first of these sources that defines gates: the configuration of the stage, the stage itself,
 * the configuration of the protocol, and the protocol itself.
 */
export const requiredGates = (protocol: Protocol, stage: Stage, { gates }: Config): readonly Gate[] => {
  const own = stageWork[stage].protocol === protocol ? stageWork[stage].gates : undefined
  return gates?.required?.[stage] ?? own ?? gates?.required?.[protocol] ?? contracts[protocol].gates
}

/** Returns the gates that were required when a task was spawned, and the gates that the configuration added later. */
export const gatesRequiredOf = (
  spawn: Pick<SpawnRow, 'report' | 'protocol'>,
  stage: Stage | null,
  config: Config,
): readonly Gate[] => {
  const now = requiredGates(spawn.protocol, stage ?? spawn.protocol, config)
  const then = termsOf(spawn)?.required ?? []
  return inOrder([...now, ...then])
}

export const inOrder = (some: readonly Gate[]): readonly Gate[] => gates.filter((gate) => some.includes(gate))

/**
 * A spawn that changed files outside the output folders needs the gates of an implementation. Returns those of them
 * that are not in `required`. Research needs them only with `compliance: warn`, because otherwise the rule RSCH-001
 * refuses such changes.
 */
export const gatesForChanges = (
  { protocol }: Pick<SpawnRow, 'protocol'>,
  required: readonly Gate[],
  config: Config,
): readonly Gate[] =>
  protocol === 'research' && config.compliance !== 'warn'
    ? []
    : requiredGates('implementation', 'implementation', config).filter((gate) => !required.includes(gate))
