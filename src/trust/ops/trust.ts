import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { actingConfig } from '../../project/settings.ts'
import { record } from '../../project/trust-records.ts'
import { auditTrust } from '../audit-trust.ts'
import { drawTrustItems, findTrustables, trustItem, withTrustState } from '../trust-items.ts'

export const trust = operation({
  name: 'admin.trust',
  kind: 'mutate',
  tier: 2,
  summary: "Trust this project's settings, commands and skills as they are now.",
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
    if (!recorded) return ok({ items: withTrustState(project, items), recorded })
    const change = await record(project, items)
    // The address of the database may be trusted only now.
    const warnings = await auditTrust({ ...project, config: actingConfig(project) }, 'admin.trust', change)
    return ok({ items: withTrustState(project, items), recorded }, { warnings })
  },
})
