import { resolve } from 'node:path'
import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { isDatabase } from '../document.ts'
import { exportLines } from '../export-lines.ts'
import { header } from '../records.ts'
import { readAll } from '../sql.ts'

export const exportAll = operation({
  name: 'admin.export',
  kind: 'query',
  tier: 2,
  summary: 'Export everything as JSONL; the same data always gives the same bytes.',
  input: v.strictObject({
    out: v.optional(describe(text(4096), 'file to create, or earlier export to replace (default: print)')),
  }),
  output: () =>
    v.union([
      v.object({ records: v.number(), document: v.string() }),
      v.object({ path: v.string(), records: v.number() }),
    ]),
  errors: ['file.exists'],
  writesTo: 'out',
  cli: {
    command: 'export',
    suggestedFor: ['dump'],
    examples: ['cleo export > shop.jsonl', 'cleo export --out shop.jsonl'],
    document: (data) => ('document' in data ? data.document : undefined),
  },
  human: (data, style) =>
    'path' in data ? [`Wrote ${data.records} records to ${style.cyan(data.path)}`] : [data.document],
  async run({ out }, context) {
    const lines = exportLines(await readAll(context.store))
    const records = lines.length - 1
    const document = `${lines.join('\n')}\n`
    if (out === undefined) return ok({ records, document })
    const path = resolve(context.host.cwd, out)
    return writeExport(context, path, document) ? ok({ path, records }) : fail('file.exists', { path })
  },
})

/**
 * Writes an export to a new file. Also replaces an earlier export, so that git can show what changed. If anything else
 * is at the path, returns false without writing.
 */
const writeExport = (project: Project, path: string, document: string): boolean => {
  const { files } = project.host
  if (files.kind(path) === undefined) return files.writeNew(path, document, 0o600)
  const isExport =
    files.kind(path) === 'file' &&
    !isDatabase(project, path) &&
    files.read(path)!.startsWith(`${JSON.stringify(header)}\n`)
  if (isExport) files.replace(path, document, 0o600)
  return isExport
}
