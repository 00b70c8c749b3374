import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { withdraw } from '../../project/trust-records.ts'
import { auditTrust } from '../audit-trust.ts'
import { drawTrustItems, findTrustables, trustItem, withTrustState } from '../trust-items.ts'

export const untrust = operation({
  name: 'admin.untrust',
  kind: 'mutate',
  tier: 2,
  summary: 'Withdraw the trust recorded for this project.',
  input: v.strictObject({}),
  output: () => v.object({ items: v.array(trustItem()) }),
  errors: [],
  needs: 'project',
  personOnly: true,
  cli: { command: 'untrust', examples: ['cleo untrust'] },
  human: ({ items }, style) => drawTrustItems(items, style),
  async run(_, project) {
    const warnings = project.dryRun ? [] : await auditTrust(project, 'admin.untrust', await withdraw(project))
    return ok({ items: withTrustState(project, await findTrustables(project)) }, { warnings })
  },
})
