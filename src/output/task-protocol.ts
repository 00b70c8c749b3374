import type { SpawnWork } from '../claims/sql/spawns.ts'
import { contracts, type Protocol, stageWork } from '../kernel/protocol.ts'
import type { TaskRow } from '../store/rows.ts'

/**
 * Returns the protocol of a task's latest spawn. If the task was never spawned, returns the protocol of its stage. For
 * a task without a spawn and without a stage, returns `implementation`.
 */
export const protocolOf = (
  { stage }: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): Protocol => spawn?.protocol ?? (stage ? stageWork[stage].protocol : 'implementation')

/** Returns the default agent type of a task's entries. */
export const agentTypeOf = (
  task: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): string => contracts[protocolOf(task, spawn)].agentType
