import { resolve } from 'node:path'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { fail, ok, refuse } from '../../kernel/result.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { reporting } from '../../operation/progress.ts'
import { isDatabase, readDocument } from '../document.ts'
import { importIntoEmpty } from '../import-into-empty.ts'
import { importIntoExisting } from '../import-into-existing.ts'
import { isEmpty } from '../sql.ts'

/** Changed ids that are listed for people. */
const mostListed = 100

export const importDocument = operation({
  name: 'admin.import',
  kind: 'mutate',
  tier: 2,
  summary: 'Import an exported file; if this project already has tasks, ids change.',
  input: v.strictObject({
    file: describe(
      v.pipe(v.string(), v.minLength(1, 'is empty'), maxBytes(inputLimits.importBytes)),
      'export file, `-` for standard input, or the export text itself',
    ),
  }),
  output: () =>
    v.object({
      imported: v.number(),
      mapped: v.array(v.object({ from: v.string(), to: v.string() })),
      left: v.array(v.object({ what: v.string(), count: v.number(), why: v.string() })),
    }),
  errors: ['import.invalid', 'import.large', 'file.unreadable'],
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
    if ('problems' in read) return fail('import.invalid', read)
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

const textOf = (file: string, context: Context): string => {
  if (/^\uFEFF?\s*\{/.test(file) || file.includes('\n')) return file
  const { host } = context
  const path = resolve(host.cwd, file)
  if (host.files.kind(path) !== 'file')
    return refuse('file.unreadable', { path, reason: 'there is no such file' })
  if (isDatabase(context, path))
    return refuse('file.unreadable', { path, reason: 'it is the database of this project, not an export' })
  const { importBytes } = inputLimits
  if (host.files.size(path) > importBytes)
    return refuse('input.invalid', {
      problems: [{ path: 'file', message: `is limited to ${importBytes} bytes` }],
    })
  return host.files.read(path) ?? ''
}
