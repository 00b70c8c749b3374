import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import * as rows from '../sql/quarantine.ts'

const mostShown = 160

export const quarantine = operation({
  name: 'pipeline.manifest.quarantine',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'List manifest lines that could not be read as entries.',
  input: v.strictObject({
    full: v.optional(describe(v.boolean(), 'show up to 4 KiB of each line')),
    limit: v.optional(Limit(), 20),
    after: v.optional(
      describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'the `next` value of the previous page'),
    ),
  }),
  output: () =>
    v.object({
      lines: v.array(
        v.object({
          /** Number of the line in the quarantine. */
          n: v.number(),
          file: v.string(),
          /** Offset of the line in the file. */
          byte: v.number(),
          /** Length of the line. */
          bytes: v.number(),
          /** Why the line is not an entry. */
          reason: v.string(),
          /** The beginning of the line. With `--full`, more of the line. */
          text: v.string(),
        }),
      ),
    }),
  errors: [],
  cli: {
    command: 'manifest quarantine',
    examples: ['cleo manifest quarantine', 'cleo manifest quarantine --full'],
  },
  human: ({ lines }, style) =>
    lines.length === 0
      ? [style.dim('Nothing in quarantine.')]
      : lines.flatMap(({ n, file, byte, bytes, reason, text }) => [
          `${n}  ${style.cyan(`${file}, byte ${byte}`)} (${bytes} bytes)`,
          `   ${style.red(reason)}`,
          `   ${style.dim(text)}`,
        ]),
  async run({ full, limit, after }, { store }) {
    const found = await rows.list(store, after, limit + 1)
    const { shown, ...next } = pageOf(found, limit, ({ seq }) => String(seq))
    const lines = shown.map(({ seq, path, byte, bytes, reason, text }) => {
      const cut = !full && text.length > mostShown ? `${text.slice(0, mostShown)} …` : text
      return { n: seq, file: path, byte, bytes, reason, text: cut.toWellFormed() }
    })
    return ok({ lines }, { page: { total: await rows.count(store), limit, ...next } })
  },
})
