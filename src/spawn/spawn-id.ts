import * as v from 'valibot'
import * as spawns from '../claims/sql/spawns.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { canonicalSpawnId, parseSpawnId, parseTaskId } from '../kernel/task-id.ts'
import type { Db } from '../store/port.ts'

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
