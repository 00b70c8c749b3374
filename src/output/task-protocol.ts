import type { SpawnWork } from '../claims/sql/spawns.ts'
import { contracts, type Protocol, stageWork } from '../kernel/protocol.ts'
import type { TaskRow } from '../store/rows.ts'

export const protocolOf = (
  { stage }: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): Protocol => spawn?.protocol ?? (stage ? stageWork[stage].protocol : 'implementation')

export const agentTypeOf = (
  task: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): string => contracts[protocolOf(task, spawn)].agentType
