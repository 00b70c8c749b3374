import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { optionsOf } from '../../claims/sql/spawns.ts'
import type { FileFinding } from '../../kernel/file-finding.ts'
import { isObject } from '../../kernel/json-object.ts'
import { fail } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { drawFindings, findingsShape, reportFindings } from '../../operation/findings-report.ts'
import { operation } from '../../operation/operation.ts'
import { inspectOutput } from '../../output/output-file.ts'
import { workFoldersIn } from '../../output/work-folders.ts'
import { problemSentence } from '../../refusals/refusal.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { readEntry } from '../entry.ts'
import type { WrittenFields } from '../parse-object.ts'
import type { EntryRow } from '../sql/entries.ts'
import * as entries from '../sql/entries.ts'
import * as links from '../sql/links.ts'

export const validate = operation({
  name: 'pipeline.manifest.validate',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'Check every manifest entry: its fields, its output file, its links.',
  input: v.strictObject({ task: v.optional(describe(TaskId, 'only entries of this task')) }),
  output: findingsShape,
  errors: ['task.not_found', 'content.invalid'],
  cli: {
    command: 'manifest validate',
    examples: ['cleo manifest validate', 'cleo manifest validate --task T012'],
  },
  human: drawFindings('line'),
  async run({ task }, context) {
    if (task !== undefined && !(await tasks.find(context.store, task)))
      return fail('task.not_found', { id: task })
    const findings: FileFinding[] = []
    let checked = 0
    for await (const row of entries.all(context.store)) {
      if (task !== undefined && row.task !== task) continue
      checked++
      findings.push(...(await checkEntry(context, row)))
    }
    return reportFindings(checked, findings)
  },
})

const checkEntry = async (context: Context, row: EntryRow): Promise<FileFinding[]> => {
  const finding = (level: FileFinding['level'], message: string): FileFinding => ({
    level,
    file: row.id,
    message,
  })
  const fields = parseBody(row.body)
  if (!fields) return [finding('error', 'is not JSON')]
  const defaults = { date: '', agent_type: '' }
  const { entry, problems } = readEntry(fields, { defaults, lenient: true, research: false })
  const unknown = await unknownTasks(context, row.id, entry.linked_tasks ?? [])
  return [
    ...problems.map((problem) => finding('error', problemSentence(problem))),
    ...unknown.map((id) => finding('error', `links to ${id}, which does not exist`)),
    ...(entry.file ? await checkFile(context, row, entry.file, finding) : []),
  ]
}

const parseBody = (body: string): WrittenFields | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const unknownTasks = async (
  { store }: Context,
  id: string,
  inEntry: readonly string[],
): Promise<string[]> => {
  const linked = await links.ofEntry(store, id)
  const ids = [...new Set([...inEntry, ...linked.map(({ task }) => task)])]
  const known = await tasks.findMany(store, ids)
  return ids.filter((each) => !known.has(each))
}

/**
 * Compares the hash of the output file only for the newest entry of a task. The file of an older entry may have
 * been changed by a later spawn.
 */
const checkFile = async (
  context: Context,
  { seq, task, spawn, place, sha256 }: EntryRow,
  file: string,
  finding: (level: FileFinding['level'], message: string) => FileFinding,
): Promise<FileFinding[]> => {
  const options = optionsOf(spawn === null ? undefined : await spawns.find(context.store, spawn))
  const output = await inspectOutput(context, workFoldersIn(context, place || context.root, options), file)
  if (output.why) return [finding('error', `${file} ${output.why}`)]
  const [newest] = await entries.latestOf(context.store, [task])
  const changed = newest?.seq === seq && sha256 !== null && output.sha256 !== sha256
  return changed ? [finding('warning', `${file} has changed since the entry was stored`)] : []
}
