import { resolve } from 'node:path'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { fail, ok, refuse } from '../../kernel/result.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { readNamedFile } from '../../operation/named-file.ts'
import { operation } from '../../operation/operation.ts'
import { reporting } from '../../operation/progress.ts'
import { isDatabase, isOwnExport, readDocument, type WrongDocument } from '../document.ts'
import type { LeftOut } from '../foreign/foreign-task.ts'
import { type ImportSource, importIntoEmpty } from '../import-into-empty.ts'
import { importIntoExisting } from '../import-into-existing.ts'
import { isEmpty } from '../sql.ts'

/** At most this many changed ids are listed for people. */
const mostListed = 100

export const importDocument = operation({
  name: 'admin.import',
  kind: 'mutate',
  tier: 2,
  summary: 'Import a CLEO export, or the tasks of Task Master, beads or Backlog.md.',
  input: v.strictObject({
    file: describe(
      v.pipe(v.string(), v.minLength(1, 'is empty'), maxBytes(inputLimits.importBytes)),
      'a CLEO export, tasks.json of Task Master, issues.jsonl of beads, or a folder of Backlog.md; `-` reads standard input',
    ),
  }),
  output: () =>
    v.object({
      imported: v.number(),
      /** Tasks that got a new id. */
      mapped: v.array(v.object({ from: v.string(), to: v.string() })),
      /** Records that were not imported, and why. */
      left: v.array(v.object({ what: v.string(), count: v.number(), why: v.string() })),
    }),
  errors: ['import.invalid', 'import.large', 'file.unreadable'],
  readsFile: ({ file }) => !isText(file),
  cli: {
    command: 'import',
    positional: ['file'],
    examples: [
      'cleo import shop.jsonl',
      'cleo import .taskmaster/tasks/tasks.json --dry-run',
      'cleo import - < .beads/issues.jsonl',
    ],
  },
  human: ({ imported, mapped, left }, style) => [
    `Imported ${imported} ${imported === 1 ? 'task' : 'tasks'}`,
    ...mapped.slice(0, mostListed).map(({ from, to }) => `  ${from} is now ${style.cyan(to)}`),
    ...(mapped.length > mostListed ? [`  and ${mapped.length - mostListed} more; --json lists them`] : []),
    ...left.map(({ what, count, why }) => `  ${style.yellow('left out')}: ${count} ${what}; ${why}`),
  ],
  async run({ file }, context) {
    const source = await sourceOf(file, context)
    if ('problems' in source)
      return fail('import.invalid', { ...source, ...(file.endsWith('.md') && { outline: file }) })
    return context.write(async (tx) => {
      const report = reporting(context, 'importing')
      if (!source.names && (await isEmpty(tx.db))) return ok(await importIntoEmpty(tx, source, report))
      const count = source.document.task.length
      if (count > inputLimits.importedTasks)
        return fail('import.large', { count, most: inputLimits.importedTasks })
      await report?.({ count: 0, total: count })
      const { left, ...imported } = await importIntoExisting(tx, source)
      return ok({ ...imported, left: [...source.left, ...left] })
    })
  },
})

/** Translates a project of another tool into an export. */
const sourceOf = async (
  file: string,
  context: Context,
): Promise<(ImportSource & { left: LeftOut[] }) | WrongDocument> => {
  const path = resolve(context.host.cwd, file)
  const isFolder = !isText(file) && context.host.files.kind(path) === 'folder'
  const text = isFolder ? '' : textOf(file, context)
  if (!isFolder && isOwnExport(text)) return { left: [], ...readDocument(text, { limited: true }) }
  const { readForeignFolder, readForeignText } = await import('../foreign/read-foreign.ts')
  const project = isFolder ? await readForeignFolder(context.host, path) : readForeignText(text)
  if (!project) return { problems: [{ path: 'file', message: unknownFormat }], more: 0 }
  if ('found' in project) return severalOrNone(file, path, project.found)
  if (project.problems.length > 0) return { problems: project.problems, more: 0 }
  const { toExport } = await import('../foreign/to-export.ts')
  const translated = toExport(project, context.actor.id, context.host.now())
  if ('problems' in translated) return { ...translated, more: 0 }
  return { ...translated, ...readDocument(translated.text, { limited: true }) }
}

const formats = 'a CLEO export, tasks.json of Task Master, issues.jsonl of beads, or a folder of Backlog.md'
const unknownFormat = `must be one of: ${formats}`

const severalOrNone = (given: string, path: string, found: readonly string[]): WrongDocument => {
  if (found.length === 0)
    return refuse('file.unreadable', {
      path,
      reason: 'it is a folder without tasks of Task Master, beads or Backlog.md',
    })
  const message = `${given} holds tasks in ${found.join(' and in ')}; name one of them`
  return { problems: [{ path: 'file', message }], more: 0 }
}

const isText = (given: string): boolean => /^\uFEFF?\s*\{/.test(given) || given.includes('\n')

const textOf = (file: string, context: Context): string => {
  if (isText(file)) return file
  const path = resolve(context.host.cwd, file)
  if (isDatabase(context, path))
    return refuse('file.unreadable', { path, reason: 'it is the database of this project, not an export' })
  return readNamedFile(context.host, file, {
    field: 'file',
    most: inputLimits.importBytes,
    instead: 'cleo import -',
  })
}
