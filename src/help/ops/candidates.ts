import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { candidateKinds, candidatesFor } from '../candidates.ts'

export const candidates = operation({
  name: 'admin.candidates',
  kind: 'query',
  tier: 2,
  summary: 'Print the possible completions of a word, for the completion scripts.',
  input: v.strictObject({
    kind: describe(v.picklist(candidateKinds), 'what to complete'),
    typed: v.optional(describe(v.pipe(v.string(), v.maxLength(4096)), 'the part of the word typed so far')),
  }),
  output: () => v.object({ values: v.array(v.object({ value: v.string(), about: v.string() })) }),
  errors: [],
  cli: {
    command: 'completion values',
    positional: ['kind', 'typed'],
    examples: ['cleo completion values open T01'],
    document: ({ values }) => values.map(({ value, about }) => `${value}\t${about}\n`).join(''),
  },
  human: ({ values }, style) =>
    style.table(
      values.map(({ value, about }) => [value, about]),
      1,
    ),
  run: async ({ kind, typed = '' }, context) => ok({ values: await candidatesFor(context, kind, typed) }),
})
