import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { drawTrustItems, findTrustables, trustItem, withTrustState } from '../trust-items.ts'

export const status = operation({
  name: 'admin.trust.status',
  kind: 'query',
  tier: 2,
  summary: 'Show which hooks, commands, skills and templates of this project are trusted.',
  input: v.strictObject({}),
  output: () => v.object({ items: v.array(trustItem()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'trust status', examples: ['cleo trust status'] },
  human: ({ items }, style) => drawTrustItems(items, style),
  run: async (_, project) => ok({ items: withTrustState(project, await findTrustables(project)) }),
})
