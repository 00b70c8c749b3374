import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { record } from '../../project/trust-records.ts'
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
    if (!project.dryRun) await record(project, [])
    return ok({ items: withTrustState(project, await findTrustables(project)) })
  },
})
