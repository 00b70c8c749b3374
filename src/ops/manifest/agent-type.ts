import { contracts, stageWork } from '../../model/protocol.ts'
import type { TaskRow } from '../../store/rows.ts'
import type { SpawnWork } from '../../store/spawns.ts'

/** What an entry of a task says of its author unless told otherwise. */
export const agentTypeOf = (
  { stage }: Pick<TaskRow, 'stage'>,
  spawn: Pick<SpawnWork, 'protocol'> | undefined,
): string => contracts[spawn?.protocol ?? (stage ? stageWork[stage].protocol : 'implementation')].agentType
