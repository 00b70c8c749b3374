import type { SpawnRow } from '../claims/sql/spawns.ts'
import { termsOf } from '../evidence/spawn-terms.ts'
import type { Config } from '../kernel/config.ts'
import type { Gate, Protocol } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import { gatesRequiredOf } from '../standing/required-gates.ts'

/**
 * The facts that decide which gates an attempt gets: whether the caller is an agent, and whether the caller named the
 * protocol.
 */
export interface GateChoice {
  agent: boolean
  named: boolean
}

/** True if a person chose the gates of this attempt by naming its protocol. */
export const isChosen = ({ agent, named }: GateChoice): boolean => named && !agent

/** The next attempt must keep the gates of a binding spawn. */
export const isBinding = (spawn: SpawnRow): boolean =>
  spawn.started_at !== null || termsOf(spawn)?.chosen === true

/**
 * Returns the gates of an earlier attempt that the next attempt must keep. Leaves out gates that the
 * protocol of the next attempt requires anyway. A person may drop kept gates by naming another protocol. An agent may
 * not drop them, because it could choose a protocol with easier gates.
 */
export const keptGates = (
  binding: SpawnRow | undefined,
  next: { protocol: Protocol; stage: Stage | null; gates: readonly Gate[] },
  choice: GateChoice,
  config: Config,
): Gate[] => {
  if (!binding || isChosen(choice)) return []
  if (!choice.agent && binding.protocol === next.protocol) return []
  return gatesRequiredOf(binding, next.stage, config).filter((gate) => !next.gates.includes(gate))
}
