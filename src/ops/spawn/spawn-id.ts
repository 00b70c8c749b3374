import * as v from 'valibot'
import { type Failure, fail } from '../../model/result.ts'
import { canonicalSpawnId, parseSpawnId, parseTaskId } from '../../model/task-id.ts'
import type { Db } from '../../store/port.ts'
import * as spawns from '../../store/spawns.ts'

/** `T012.1`, or `T012` for the latest one of the task. */
export const SpawnRef = v.pipe(
  v.string(),
  v.trim(),
  v.transform((id) => parseTaskId(id) ?? canonicalSpawnId(id) ?? id),
  v.check(
    (id) => parseTaskId(id) !== undefined || parseSpawnId(id) !== undefined,
    'is a spawn such as T012.1, or a task',
  ),
)

export const findSpawn = async (
  db: Db,
  ref: string,
): Promise<spawns.SpawnRow | Failure<'spawn.not_found' | 'spawn.none'>> => {
  if (parseSpawnId(ref)) return (await spawns.find(db, ref)) ?? fail('spawn.not_found', { id: ref })
  return (await spawns.latest(db, ref)) ?? fail('spawn.none', { task: ref })
}
