import type { SpawnWork } from '../claims/sql/spawns.ts'
import { contracts, type Protocol, stageWork } from '../kernel/protocol.ts'
import type { TaskRow } from '../store/rows.ts'

/** What the work on a task goes by: the rules its latest spawn was given, else those of its stage. */
export const protocolOf = (
  { stage }: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): Protocol => spawn?.protocol ?? (stage ? stageWork[stage].protocol : 'implementation')

/** What an entry of a task says of its author unless told otherwise. */
export const agentTypeOf = (
  task: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): string => contracts[protocolOf(task, spawn)].agentType
