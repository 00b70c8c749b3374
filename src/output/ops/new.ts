import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { optionsOf } from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { parseSpawnId, TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { isTemplateName } from '../../refusals/manifest.ts'
import { heldForAgents } from '../../tasks/own-work.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { placeOfOutput, writeOutput } from '../create-output.ts'
import { inspectOutput, type OutputFile, relative } from '../output-file.ts'
import { workFolder, workFoldersIn } from '../work-folders.ts'

const Category = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be a folder name of lower-case letters, digits and dashes'),
)

export const newOutput = operation({
  name: 'output.new',
  kind: 'mutate',
  tier: 0,
  summary: 'Create the output file of a task from its template.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    category: v.optional(describe(Category, 'a folder inside the output folder')),
    file: v.optional(
      describe(text(500), "path of the output file, relative to the manifest's folder; must end in .md"),
    ),
  }),
  output: () => v.object({ path: v.string(), noChange: v.optional(v.literal(true)) }),
  errors: ['task.not_found', 'entry.foreign', 'claim.held', 'output.invalid'],
  cli: {
    command: 'output new',
    positional: ['id'],
    examples: ['cleo output new T012 --as T012.1', 'cleo output new T012 --category research'],
  },
  human: ({ path, noChange }) => [noChange ? `${path} already exists.` : path],
  async run({ id, category, file }, context) {
    const { actor, store } = context
    const task = await tasks.find(store, id)
    if (!task) return fail('task.not_found', { id })
    const own = parseSpawnId(actor.id)
    if (own && own.task !== id) return fail('entry.foreign', { actor: actor.id, id })
    const held = await heldForAgents(context, store, task)
    if (held) return held
    const spawn = (await spawns.latestWork(store, [id])).get(id)
    const options = optionsOf(spawn)
    const folders = workFoldersIn(context, await workFolder(context, options), options)
    const named = file === undefined ? undefined : await inspectOutput(context, folders, file)
    const wrong = named && whyNotNew(named, id, category)
    if (wrong) return fail('output.invalid', { path: named.path, why: wrong })
    const place = placeOfOutput(context, folders, task, { category, named: named?.path })
    if (!place.ok) return place
    const { path, isThere } = place.value
    if (isThere) return ok({ path, noChange: true as const })
    return context.write(async (tx) => {
      await tx.record({ task: id, after: { output: relative(folders.work, path) } })
      if (context.dryRun) return ok({ path })
      const made = writeOutput(context, place.value, task, { spawn, now: tx.now })
      return ok({ path, ...(!made && { noChange: true as const }) })
    })
  },
})

/** Returns why the file cannot be made, as a phrase that follows the path: "is inside a .git folder". */
const whyNotNew = (
  { path, why, missing }: OutputFile,
  task: string,
  category: string | undefined,
): string | undefined => {
  if (why && !missing) return why
  if (category !== undefined) return 'names its own folder, so --category cannot be used with --file'
  if (path.split('/').includes('.git')) return 'is inside a .git folder'
  return isTemplateName(path, task) ? undefined : `is not named ${task}-<words>.md`
}
