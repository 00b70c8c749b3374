import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { optionsOf } from '../../claims/sql/spawns.ts'
import { parseEntryId } from '../../kernel/entry-id.ts'
import type { Finding } from '../../kernel/finding.ts'
import { isBelow, resolvePath } from '../../kernel/path.ts'
import type { Protocol } from '../../kernel/protocol.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { timeWarning } from '../../kernel/time-promises.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { drawReport, reported, reportShape } from '../../operation/report.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { protocolOf } from '../agent-type.ts'
import { formFindings } from '../form.ts'
import { outputName, outputsOf, relative } from '../output-file.ts'
import { type WorkFolders, workFolder, workFoldersIn } from '../work-folders.ts'

export const check = operation({
  name: 'output.check',
  kind: 'query',
  tier: 0,
  summary: 'Say everything an output file lacks by its form.',
  input: v.strictObject({ target: describe(text(1000), 'a task, or the path of an output file') }),
  output: reportShape,
  errors: ['task.not_found', 'output.absent', 'content.invalid'],
  cli: {
    command: 'output check',
    positional: ['target'],
    examples: ['cleo output check T012', 'cleo output check claudedocs/agent-outputs/T012-sign-up-form.md'],
  },
  human: drawReport('file'),
  async run({ target }, context) {
    const meant = await meantBy(context, target)
    if ('ok' in meant) return meant
    const findings: Finding[] = []
    for (const path of meant.paths) findings.push(...(await checkFile(context, meant, path)))
    return reported(meant.paths.length, findings)
  },
})

interface Meant {
  task?: TaskRow
  protocol?: Protocol
  folders: WorkFolders
  paths: string[]
}

/** The files of a task, or the one that was named and the task in its name. */
const meantBy = async (
  context: Context,
  target: string,
): Promise<Meant | Failure<'task.not_found' | 'output.absent'>> => {
  const { store, host, actor } = context
  const named = parseTaskId(target)
  const base = target.slice(target.lastIndexOf('/') + 1)
  const id = named ?? parseEntryId(base)?.task
  const task = id && (await tasks.find(store, id))
  if (named && !task) return fail('task.not_found', { id: named })
  const spawn = id ? (await spawns.latestWork(store, [id])).get(id) : undefined
  const asked = optionsOf(spawn)
  const folders = workFoldersIn(context, await workFolder(context, asked), asked)
  if (!named) {
    const paths = [resolvePath(host.cwd, target), resolvePath(folders.work, target)]
    const path = paths.find((each) => host.files.sizeSeen(each) > 0) ?? paths[0]!
    return { ...(task && { task, protocol: protocolOf(task, spawn) }), folders, paths: [path] }
  }
  const known = { task: task as TaskRow, protocol: protocolOf(task as TaskRow, spawn) }
  const paths = await outputsOf(context, folders, known.task)
  if (paths.length > 0) return { ...known, folders, paths }
  const path = `${folders.output}/${outputName(task as TaskRow)}`
  return fail('output.absent', { path, task: named, actor: actor.id })
}

const most = 4 * 1024 * 1024

const checkFile = async (
  { host }: Context,
  { task, protocol, folders }: Meant,
  path: string,
): Promise<Finding[]> => {
  const file = relative(folders.work, path)
  const error = (message: string): Finding => ({ level: 'error', file, message })
  if (!folders.outputRoots.some((root) => isBelow(root, path))) {
    const roots = [...new Set(folders.outputRoots.map((root) => relative(folders.work, root)))]
    return [error(`does not lie in ${roots.join(', ')}`)]
  }
  const read = await host.files.readInside(folders.work, file, most)
  if (!read.ok) return [error(read.why)]
  const base = path.slice(path.lastIndexOf('/') + 1)
  const name = parseEntryId(base.slice(0, Math.max(0, base.lastIndexOf('.'))))
  const unnamed = name && task ? [] : [error('is not named after a task: T012-slug.md')]
  const promise = timeWarning('it', read.text).map(
    (message): Finding => ({ level: 'warning', file, message }),
  )
  // A script or a picture has no headings.
  const isText = base.endsWith('.md')
  const expected = {
    task: task?.id ?? '',
    protocol,
    ...(task && task.root !== task.id && { epic: task.root }),
  }
  return [...unnamed, ...(isText && task ? formFindings(file, read.text, expected) : []), ...promise]
}
