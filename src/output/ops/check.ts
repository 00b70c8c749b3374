import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { optionsOf } from '../../claims/sql/spawns.ts'
import { parseEntryId } from '../../kernel/entry-id.ts'
import type { FileFinding } from '../../kernel/file-finding.ts'
import { isBelow, resolvePath } from '../../kernel/path.ts'
import type { Protocol } from '../../kernel/protocol.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { parseSpawnId, parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { timeWarning } from '../../kernel/time-estimates.ts'
import type { Context } from '../../operation/context.ts'
import { drawFindings, findingsShape, reportFindings } from '../../operation/findings-report.ts'
import { operation } from '../../operation/operation.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { checkForm } from '../check-form.ts'
import { outputName, outputsOf, relative } from '../output-file.ts'
import { protocolOf } from '../task-protocol.ts'
import { type WorkFolders, workFolder, workFoldersIn } from '../work-folders.ts'

export const check = operation({
  name: 'output.check',
  kind: 'query',
  tier: 0,
  summary: 'Check an output file for missing header lines, sections and text.',
  input: v.strictObject({ target: describe(text(1000), 'a task, or the path of an output file') }),
  output: findingsShape,
  errors: ['task.not_found', 'output.absent', 'content.invalid'],
  cli: {
    command: 'output check',
    positional: ['target'],
    examples: ['cleo output check T012', 'cleo output check claudedocs/agent-outputs/T012-sign-up-form.md'],
  },
  human: drawFindings('file'),
  async run({ target }, context) {
    const found = await filesOf(context, target)
    if ('ok' in found) return found
    const findings: FileFinding[] = []
    for (const path of found.paths) findings.push(...(await checkFile(context, found, path)))
    return reportFindings(found.paths.length, findings)
  },
})

interface FilesToCheck {
  task?: TaskRow
  protocol?: Protocol
  folders: WorkFolders
  paths: string[]
}

/** `target` is the path of one file or the id of a task. For a task, its output files are checked. */
const filesOf = async (
  context: Context,
  target: string,
): Promise<FilesToCheck | Failure<'task.not_found' | 'output.absent'>> => {
  const { store, host, actor } = context
  const named = parseTaskId(target)
  const base = target.slice(target.lastIndexOf('/') + 1)
  const id = named ?? parseEntryId(base)?.task
  const task = id && (await tasks.find(store, id))
  if (named && !task) return fail('task.not_found', { id: named })
  const spawn = id ? (await spawns.latestWork(store, [id])).get(id) : undefined
  const options = optionsOf(spawn)
  const folders = workFoldersIn(context, await workFolder(context, options), options)
  if (!named) {
    const paths = [resolvePath(host.cwd, target), resolvePath(folders.work, target)]
    const path = paths.find((each) => host.files.sizeSeen(each) > 0) ?? paths[0]!
    return { ...(task && { task, protocol: protocolOf(task, spawn) }), folders, paths: [path] }
  }
  const known = { task: task as TaskRow, protocol: protocolOf(task as TaskRow, spawn) }
  const paths = await outputsOf(context, folders, known.task)
  if (paths.length > 0) return { ...known, folders, paths }
  const path = `${folders.output}/${outputName(task as TaskRow)}`
  return fail('output.absent', { path, task: named, ...(parseSpawnId(actor.id) && { as: actor.id }) })
}

const maxBytes = 4 * 1024 * 1024

const checkFile = async (
  { host }: Context,
  { task, protocol, folders }: FilesToCheck,
  path: string,
): Promise<FileFinding[]> => {
  const file = relative(folders.work, path)
  const error = (message: string): FileFinding => ({ level: 'error', file, message })
  if (!folders.outputRoots.some((root) => isBelow(root, path))) {
    const roots = [...new Set(folders.outputRoots.map((root) => relative(folders.work, root)))]
    return [error(`is not in ${roots.join(', ')}, nor in a folder that output.roots names`)]
  }
  const read = await host.files.readInside(folders.work, file, maxBytes)
  if (!read.ok) return [error(read.why)]
  const base = path.slice(path.lastIndexOf('/') + 1)
  const name = parseEntryId(base.slice(0, Math.max(0, base.lastIndexOf('.'))))
  const unnamed = name && task ? [] : [error('is not named after a task: T012-slug.md')]
  const promise = timeWarning('it', read.text).map(
    (message): FileFinding => ({ level: 'warning', file, message }),
  )
  // Only Markdown is checked, because scripts and pictures have no headings.
  const isText = base.endsWith('.md')
  const expected = {
    task: task?.id ?? '',
    protocol,
    ...(task && task.root !== task.id && { epic: task.root }),
  }
  return [...unnamed, ...(isText && task ? checkForm(file, read.text, expected) : []), ...promise]
}
