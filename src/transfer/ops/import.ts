import { resolve } from 'node:path'
import * as v from 'valibot'
import { fail, ok, refuse } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { isDatabase, readDocument } from '../document.ts'
import { importIntoEmpty } from '../import-into-empty.ts'
import { importIntoExisting } from '../import-into-existing.ts'
import { isEmpty } from '../sql.ts'

export const importDocument = operation({
  name: 'admin.import',
  kind: 'mutate',
  tier: 2,
  summary: 'Import an export; ids stay the same only if this project is empty.',
  input: v.strictObject({
    file: describe(
      v.pipe(v.string(), v.minLength(1, 'is empty')),
      'export file, `-` for standard input, or the export text itself',
    ),
  }),
  output: () =>
    v.object({
      imported: v.number(),
      mapped: v.array(v.object({ from: v.string(), to: v.string() })),
      left: v.array(v.object({ what: v.string(), count: v.number(), why: v.string() })),
    }),
  errors: ['import.invalid', 'file.unreadable'],
  cli: {
    command: 'import',
    positional: ['file'],
    examples: ['cleo import shop.jsonl', 'cleo import - < shop.jsonl'],
  },
  human: ({ imported, mapped, left }, style) => [
    `Imported ${imported} ${imported === 1 ? 'task' : 'tasks'}`,
    ...mapped.map(({ from, to }) => `  ${from} is now ${style.cyan(to)}`),
    ...left.map(({ what, count, why }) => `  ${style.yellow('left out')}: ${count} ${what}; ${why}`),
  ],
  async run({ file }, context) {
    const read = readDocument(textOf(file, context))
    if ('problems' in read) return fail('import.invalid', { problems: read.problems })
    return context.write(async (tx) =>
      ok((await isEmpty(tx.db)) ? await importIntoEmpty(tx, read) : await importIntoExisting(tx, read)),
    )
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
  return host.files.read(path) ?? ''
}
