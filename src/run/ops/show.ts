import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { findRun } from '../find-run.ts'
import { reportOf } from '../report.ts'
import { reportShape } from '../report-shape.ts'
import { drawReport, markdownOf } from '../report-text.ts'
import { RunId } from '../run-id.ts'

export const show = operation({
  name: 'run.show',
  kind: 'query',
  tier: 1,
  summary: 'Report on a run: results, agents, attempts, tokens, cost and open tasks.',
  input: v.strictObject({
    id: v.optional(describe(RunId, 'the run; default: the newest run')),
    markdown: v.optional(describe(v.boolean(), 'print the report as Markdown'), false),
  }),
  output: () => v.union([reportShape(), v.object({ document: v.string() })]),
  errors: ['run.not_found'],
  cli: {
    command: 'run show',
    positional: ['id'],
    examples: ['cleo run show R001', 'cleo run show R001 --markdown'],
    document: (data) => ('document' in data ? data.document : undefined),
  },
  human: (data, style) => ('document' in data ? [data.document] : drawReport(data, style)),
  async run({ id, markdown }, context) {
    const run = await findRun(context.store, id)
    if ('ok' in run) return run
    const report = await reportOf(context, run)
    return ok(markdown ? { document: markdownOf(report) } : report)
  },
})
