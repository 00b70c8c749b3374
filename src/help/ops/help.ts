import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Flag } from '../../operation/command-table.ts'
import { operation } from '../../operation/operation.ts'

export const help = operation({
  name: 'admin.help',
  kind: 'query',
  tier: 0,
  summary: 'List the commands for subagents (tier 0), for orchestrators (1), or all (2).',
  input: v.strictObject({
    tier: v.optional(
      describe(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2)),
        'highest tier to list: 0, 1 or 2',
      ),
      0,
    ),
  }),
  output: () =>
    v.object({
      tier: v.number(),
      operations: v.array(
        v.object({
          operation: v.string(),
          kind: v.picklist(['query', 'mutate']),
          /** The command with its required arguments. */
          use: v.string(),
          summary: v.string(),
        }),
      ),
    }),
  errors: [],
  needs: 'world',
  cli: { command: 'admin help', examples: ['cleo admin help', 'cleo admin help --tier 2'] },
  human: ({ operations }, style) => {
    const lines = style.table(
      operations.map(({ use, summary }) => [style.cyan(use), summary]),
      0,
    )
    const left = Math.max(...operations.map(({ use }) => use.length))
    const right = Math.max(...operations.map(({ summary }) => summary.length))
    return style.width === undefined || left + right + 2 <= style.width
      ? lines
      : operations.flatMap(({ use, summary }) => [style.cyan(use), `    ${summary}`])
  },
  async run({ tier }) {
    // Import the table here and not at the top, because it is generated from all operations, including this one.
    const { allCommands } = await import('../../operation/commands.ts')
    const operations = allCommands()
      .filter((command) => command.tier <= tier)
      .map(({ operation, kind, words, flags, summary }) => ({
        operation,
        kind,
        use: usage(words, flags),
        summary,
      }))
    return ok({ tier, operations })
  },
})

/** Returns the usage line, such as `cleo note <id> <text>`, with the required flags after the positionals. */
const usage = (words: string, flags: readonly Flag[]): string => {
  const [command, form] = words.split(' --')
  const required = flags.filter((flag) => flag.at === undefined && flag.required)
  return [
    'cleo',
    command,
    ...flags
      .filter(({ at }) => at !== undefined)
      .map(({ key, required, rest }) => (required ? `<${key}>` : `[${key}${rest ? ' …' : ''}]`)),
    ...(form && !required.some(({ name }) => name === `--${form}`) ? [`--${form}`] : []),
    ...required.map(({ name }) => `${name} …`),
  ].join(' ')
}
