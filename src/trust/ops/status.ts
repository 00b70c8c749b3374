import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { drawItems, everything, itemShape, itemsOf } from '../items.ts'

export const status = operation({
  name: 'admin.trust.status',
  kind: 'query',
  tier: 2,
  summary: 'Show what of this project may act, and what waits for a yes.',
  input: v.strictObject({}),
  output: () => v.object({ items: v.array(itemShape()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'trust status', examples: ['cleo trust status'] },
  human: ({ items }, style) => drawItems(items, style),
  run: async (_, project) => ok({ items: itemsOf(project, await everything(project)) }),
})
