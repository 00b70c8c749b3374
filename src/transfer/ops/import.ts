import { resolve } from 'node:path'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { fail, ok, refuse } from '../../kernel/result.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { readNamedFile } from '../../operation/named-file.ts'
import { operation } from '../../operation/operation.ts'
import { reporting } from '../../operation/progress.ts'
import { isDatabase, readDocument } from '../document.ts'
import { importIntoEmpty } from '../import-into-empty.ts'
import { importIntoExisting } from '../import-into-existing.ts'
import { isEmpty } from '../sql.ts'

/** At most this many changed ids are listed for people. */
const mostListed = 100

export const importDocument = operation({
  name: 'admin.import',
  kind: 'mutate',
  tier: 2,
  summary: 'Import an exported file; if this project has tasks, imported tasks get new ids.',
  input: v.strictObject({
    file: describe(
      v.pipe(v.string(), v.minLength(1, 'is empty'), maxBytes(inputLimits.importBytes)),
      'export file, `-` for standard input, or the export text itself',
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
  readsFile: ({ file }) => !isExport(file),
  cli: {
    command: 'import',
    positional: ['file'],
    examples: ['cleo import shop.jsonl', 'cleo import - < shop.jsonl'],
  },
  human: ({ imported, mapped, left }, style) => [
    `Imported ${imported} ${imported === 1 ? 'task' : 'tasks'}`,
    ...mapped.slice(0, mostListed).map(({ from, to }) => `  ${from} is now ${style.cyan(to)}`),
    ...(mapped.length > mostListed ? [`  and ${mapped.length - mostListed} more; --json lists them`] : []),
    ...left.map(({ what, count, why }) => `  ${style.yellow('left out')}: ${count} ${what}; ${why}`),
  ],
  async run({ file }, context) {
    const read = readDocument(textOf(file, context), { limited: true })
    if ('problems' in read)
      return fail('import.invalid', { ...read, ...(file.endsWith('.md') && { outline: file }) })
    return context.write(async (tx) => {
      const report = reporting(context, 'importing')
      if (await isEmpty(tx.db)) return ok(await importIntoEmpty(tx, read, report))
      const count = read.document.task.length
      if (count > inputLimits.importedTasks)
        return fail('import.large', { count, most: inputLimits.importedTasks })
      await report?.({ count: 0, total: count })
      return ok(await importIntoExisting(tx, read))
    })
  },
})

const isExport = (given: string): boolean => /^\uFEFF?\s*\{/.test(given) || given.includes('\n')

const textOf = (file: string, context: Context): string => {
  if (isExport(file)) return file
  const path = resolve(context.host.cwd, file)
  if (isDatabase(context, path))
    return refuse('file.unreadable', { path, reason: 'it is the database of this project, not an export' })
  return readNamedFile(context.host, file, {
    field: 'file',
    most: inputLimits.importBytes,
    instead: 'cleo import -',
  })
}
