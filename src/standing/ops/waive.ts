import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { WaiverInput, waiveCodes, waiveRequirement } from '../waive.ts'

export const waive = operation({
  name: 'verify.waive',
  kind: 'mutate',
  tier: 0,
  summary: 'Accept a criterion or gate without evidence (people only).',
  input: WaiverInput,
  output: () =>
    v.object({ id: v.string(), what: v.string(), state: v.literal('waived'), reason: v.string() }),
  errors: waiveCodes,
  personOnly: true,
  cli: {
    command: 'verify --waive',
    positional: ['id'],
    examples: [
      'cleo verify T012 --waive --criterion 2 --reason "the old browser is no longer supported"',
      'cleo verify T012 --waive --gate implemented --reason "nothing had to change"',
    ],
  },
  human: ({ id, what, reason }, style) => [`${style.cyan(id)} ${what} waived: ${reason}`],
  run: (input, context) => waiveRequirement(context, input),
})
