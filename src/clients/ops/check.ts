import * as v from 'valibot'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { checkAll, checkedShape, drawChecks } from '../check-all.ts'
import { clientNames } from '../client-names.ts'
import { projectPlace } from '../place.ts'

export const check = operation({
  name: 'agents.clients.check',
  kind: 'query',
  tier: 1,
  summary: 'Check that agent clients find cleo, their files and their hooks.',
  input: v.strictObject({
    client: v.optional(
      describe(v.picklist(clientNames), 'one client; default: those that are set up, or else installed'),
    ),
  }),
  output: checkedShape,
  errors: ['client.none', 'client.unready'],
  cli: {
    command: 'clients check',
    positional: ['client'],
    examples: ['cleo clients check', 'cleo clients check codex'],
  },
  human: drawChecks,
  run: ({ client }, context) => checkAll(context.host, projectPlace(context), client, { turn: false }),
})
