import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { budget, contextUsageFile, readContextUsage } from '../context-usage.ts'

const mostCommands = 5

export const context = operation({
  name: 'orchestrate.context',
  kind: 'query',
  tier: 1,
  summary: 'Show how many of its 10,000 tokens this session has used.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      session: v.string(),
      used: v.number(),
      of: v.number(),
      state: v.picklist(['ok', 'warning', 'critical']),
      byCommand: v.array(v.object({ op: v.string(), calls: v.number(), tokens: v.number() })),
    }),
  errors: ['session.unnamed'],
  cli: {
    command: 'orchestrate context',
    examples: ['cleo orchestrate context', 'cleo orchestrate context --session ses_4f0k2m9x1c7d'],
  },
  human: ({ used, of, state, byCommand }, style) => [
    `${used} of ${of} tokens  ${state === 'ok' ? style.green(state) : state === 'warning' ? style.yellow(state) : style.red(state)}`,
    ...style.table(
      byCommand.map(({ op, calls, tokens }) => [`  ${op}`, `${calls}×`, String(tokens)]),
      0,
    ),
  ],
  async run(_, { session, host, folder }) {
    const path = session && contextUsageFile(folder, session.id)
    if (!path) return fail('session.unnamed', {})
    const { used, state, byCommand } = await readContextUsage(host.files, path)
    return ok({ session: session.id, used, of: budget, state, byCommand: byCommand.slice(0, mostCommands) })
  },
})
