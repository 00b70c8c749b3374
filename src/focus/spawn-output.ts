import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { Refused } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { placeOfOutput, writeOutput } from '../output/create-output.ts'
import { outputsOf } from '../output/output-file.ts'
import { workFolder, workFoldersIn } from '../output/work-folders.ts'
import * as tasks from '../tasks/sql/tasks.ts'

/**
 * Makes the output file of a spawned task unless the task has one. A failure is only a warning, because the task is
 * claimed already; `cleo output new` refuses with the same reason.
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
