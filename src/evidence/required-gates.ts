import type { Config } from '../kernel/config.ts'
import { contracts, type Gate, type Protocol, stageWork } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'

/** The gates a task needs: what the configuration says of its stage, then of its protocol; else what we ship. */
export const requiredGates = (protocol: Protocol, stage: Stage, { gates }: Config): readonly Gate[] => {
  const own = stageWork[stage].protocol === protocol ? stageWork[stage].gates : undefined
  return gates?.required?.[stage] ?? own ?? gates?.required?.[protocol] ?? contracts[protocol].gates
}
