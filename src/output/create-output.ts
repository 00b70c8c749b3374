import type { SpawnWork } from '../claims/sql/spawns.ts'
import { isBelow } from '../kernel/path.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import { iso } from '../kernel/time.ts'
import type { Project } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { isFreeOfLinks, outputName } from './output-file.ts'
import { protocolOf } from './task-protocol.ts'
import { outputTemplate } from './template.ts'
import type { WorkFolders } from './work-folders.ts'

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
  /** A folder inside the output folder, or a path inside the folders for output files. */
  { category, named }: { category?: string; named?: string } = {},
): Result<NewOutput, 'output.invalid'> => {
  const usual = category === undefined ? folders.output : `${folders.output}/${category}`
  const path = named ?? `${usual}/${outputName(task)}`
  const folder = path.slice(0, path.lastIndexOf('/'))
  if (host.files.sizeSeen(path) > 0) return ok({ folder, path, isThere: true })
  if (!isBelow(folders.work, folder))
    return fail('output.invalid', { path, why: `is not inside ${folders.work}` })
  // A symbolic link in the path would put the file somewhere else.
  if (!isFreeOfLinks(host.files, folder))
    return fail('output.invalid', { path, why: 'is reached through a link' })
  return ok({ folder, path, isThere: false })
}

/** Writes the template of an output file. Returns false, and changes nothing, if the file exists. */
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
