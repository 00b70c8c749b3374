import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { version as number } from '../../kernel/version.ts'
import { operation } from '../../operation/operation.ts'

export const version = operation({
  name: 'admin.version',
  kind: 'query',
  tier: 2,
  summary: 'Print the version of CLEO.',
  input: v.strictObject({}),
  output: () => v.object({ version: v.string() }),
  errors: [],
  needs: 'world',
  cli: { command: 'version', examples: ['cleo version'] },
  human: ({ version }) => [`cleo ${version}`],
  run: async () => ok({ version: number }),
})
