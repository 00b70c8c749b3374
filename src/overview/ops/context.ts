import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { ownSession, ownSessionCodes } from '../../sessions/named.ts'
import { budget, contextUsagePath, openContextUsage, stateOf } from '../context-usage.ts'
import { printedTokens } from '../printed-tokens.ts'

const mostCommands = 5

export const context = operation({
  name: 'orchestrate.context',
  kind: 'query',
  tier: 1,
  summary: 'Show how many tokens CLEO printed in this session; the budget is 10,000.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      session: v.string(),
      used: v.number(),
      of: v.number(),
      state: v.picklist(['ok', 'warning', 'critical']),
      byCommand: v.array(v.object({ operation: v.string(), calls: v.number(), tokens: v.number() })),
    }),
  errors: ownSessionCodes,
  cli: {
    command: 'context',
    examples: ['cleo context', 'cleo context --session ses_4f0k2m9x1c7d'],
  },
  human: ({ used, of, state, byCommand }, style) => [
    `${used} of ${of} tokens  ${state === 'ok' ? style.green(state) : state === 'warning' ? style.yellow(state) : style.red(state)}`,
    ...style.table(
      byCommand.map(({ operation, calls, tokens }) => [`  ${operation}`, `${calls}×`, String(tokens)]),
      0,
    ),
  ],
  async run(_, context) {
    const { store, host, folder } = context
    const session = await ownSession(store, context, { command: 'cleo context --session' })
    if ('ok' in session) return session
    const path = contextUsagePath(folder, session.id)
    if (!path) return fail('session.unnamed', {})
    const usage = host.files.sizeSeen(path) > 0 ? openContextUsage(host.files, path) : undefined
    const used = usage?.used() ?? 0
    const byCommand = usage ? printedTokens(usage).slice(0, mostCommands) : []
    return ok({ session: session.id, used, of: budget, state: stateOf(used), byCommand })
  },
})
