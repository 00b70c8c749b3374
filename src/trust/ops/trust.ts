import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { record } from '../../project/trust-records.ts'
import { drawTrustItems, findTrustables, trustItem, withTrustState } from '../trust-items.ts'

export const trust = operation({
  name: 'admin.trust',
  kind: 'mutate',
  tier: 2,
  summary: "Trust this project's hooks, commands and skills as they are now.",
  input: v.strictObject({
    yes: v.optional(describe(v.boolean(), 'record the trust; without this flag the items are only listed')),
  }),
  output: () => v.object({ items: v.array(trustItem()), recorded: v.boolean() }),
  errors: [],
  needs: 'project',
  personOnly: true,
  cli: { command: 'trust', examples: ['cleo trust', 'cleo trust --yes'] },
  human: ({ items, recorded }, style) => [
    ...drawTrustItems(items, style),
    ...(items.some(({ state }) => state !== 'trusted') && !recorded
      ? ['  to trust these as they are: cleo trust --yes']
      : []),
  ],
  async run({ yes }, project) {
    const recorded = yes === true && !project.dryRun
    const items = await findTrustables(project)
    if (recorded) await record(project, items)
    return ok({ items: withTrustState(project, items), recorded })
  },
})
