import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf, type SpawnWork } from '../claims/sql/spawns.ts'
import { isBelow } from '../kernel/path.ts'
import { fail, ok, Refused, type Result } from '../kernel/result.ts'
import { iso } from '../kernel/time.ts'
import type { Context, Project } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { isFreeOfLinks, outputName, outputsOf } from './output-file.ts'
import { protocolOf } from './task-protocol.ts'
import { outputTemplate } from './template.ts'
import { type WorkFolders, workFolder, workFoldersIn } from './work-folders.ts'

export interface NewOutput {
  folder: string
  path: string
  isThere: boolean
}

/** Returns where the output file of a task belongs. Refuses a place outside the work folder. */
export const placeOfOutput = (
  { host }: Project,
  folders: WorkFolders,
  task: Pick<TaskRow, 'id' | 'title'>,
  /** `category` is a folder inside the output folder. `named` is a path inside one of the folders for output files. */
  { category, named }: { category?: string; named?: string } = {},
): Result<NewOutput, 'output.invalid'> => {
  const usual = category === undefined ? folders.output : `${folders.output}/${category}`
  const path = named ?? `${usual}/${outputName(task)}`
  const folder = path.slice(0, path.lastIndexOf('/'))
  if (host.files.sizeSeen(path) > 0) return ok({ folder, path, isThere: true })
  if (!isBelow(folders.work, folder))
    return fail('output.invalid', { path, why: `is not inside ${folders.work}` })
  // Refuse a symbolic link in the path, because the file would be written to another folder.
  if (!isFreeOfLinks(host.files, folder))
    return fail('output.invalid', { path, why: 'is reached through a link' })
  return ok({ folder, path, isThere: false })
}

/** If the file exists, changes nothing and returns false. */
export const writeOutput = (
  { host }: Project,
  { folder, path }: NewOutput,
  task: TaskRow,
  { spawn, now }: { spawn?: Pick<SpawnWork, 'protocol'>; now: number },
): boolean => {
  const { id, title, root } = task
  const date = iso(now).slice(0, 10)
  const protocol = protocolOf(task, spawn)
  const text = outputTemplate({ title, task: id, ...(root !== id && { epic: root }), date, protocol })
  host.files.makeFolder(folder, 0o755)
  return host.files.writeNew(path, text, 0o644)
}

/**
 * Makes the output file of a spawned task if the task has none. A failure becomes a warning, because the task is
 * already claimed. The agent gets the reason again when it runs `cleo output new`.
 */
export const outputOfSpawn = async (
  context: Context,
  id: string,
): Promise<{ output?: string; warnings: string[] }> => {
  try {
    const task = (await tasks.find(context.store, id))!
    const spawn = (await spawns.latestWork(context.store, [id])).get(id)
    const options = optionsOf(spawn)
    const folders = workFoldersIn(context, await workFolder(context, options), options)
    const [known] = await outputsOf(context, folders, task)
    if (known) return { output: known, warnings: [] }
    const place = placeOfOutput(context, folders, task)
    if (!place.ok) return { warnings: [place.message] }
    if (!context.dryRun) writeOutput(context, place.value, task, { spawn, now: await context.store.now() })
    return { output: place.value.path, warnings: [] }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { warnings: [`the output file was not made: ${error.message}`] }
  }
}
