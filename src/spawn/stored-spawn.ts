import * as v from 'valibot'
import * as spawns from '../claims/sql/spawns.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { canonicalSpawnId, parseSpawnId, parseTaskId } from '../kernel/task-id.ts'
import type { Project } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { ComposedPrompt } from './compose-prompt.ts'

/** The id of a spawn, such as `T012.1`. The id of a task, such as `T012`, means the latest spawn of that task. */
export const SpawnRef = v.pipe(
  v.string(),
  v.trim(),
  v.transform((id) => parseTaskId(id) ?? canonicalSpawnId(id) ?? id),
  v.check(
    (id) => parseTaskId(id) !== undefined || parseSpawnId(id) !== undefined,
    'must be a spawn such as T012.1, or a task such as T012',
  ),
)

export const findSpawn = async (
  db: Db,
  ref: string,
): Promise<spawns.SpawnRow | Failure<'spawn.not_found' | 'spawn.none'>> => {
  if (parseSpawnId(ref)) return (await spawns.find(db, ref)) ?? fail('spawn.not_found', { id: ref })
  return (await spawns.latest(db, ref)) ?? fail('spawn.none', { task: ref })
}

export const promptFile = ({ folder }: Pick<Project, 'folder'>, spawnId: string): string =>
  `${folder}/spawns/${spawnId}.md`

/** Does not write a file that already has this text. */
export const storePrompt = (
  project: Project,
  { spawnId, prompt, companion, companionPath }: ComposedPrompt,
): void => {
  put(project, promptFile(project, spawnId), prompt)
  if (companion !== undefined && companionPath !== undefined) put(project, companionPath, companion)
}

const put = ({ host: { files } }: Project, path: string, text: string): void => {
  if (files.read(path) !== text) files.replace(path, text, 0o600)
}
