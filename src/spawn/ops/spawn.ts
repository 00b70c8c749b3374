import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { answerFor, spawnShape } from '../answer.ts'
import { optionsIn, spawnInput } from '../asked.ts'
import { documentOf, drawSpawn } from '../explain.ts'
import { handOut, handOutCodes } from '../hand-out.ts'

export const spawn = operation({
  name: 'orchestrate.spawn',
  kind: 'mutate',
  tier: 1,
  summary: 'Make and record the prompt a subagent works from.',
  input: v.strictObject(spawnInput),
  output: spawnShape,
  errors: handOutCodes,
  personOnly: ({ replace }) => replace,
  cli: {
    command: 'orchestrate spawn',
    positional: ['id'],
    examples: [
      'cleo orchestrate spawn T012 --ref',
      'cleo orchestrate spawn T012 --explain',
      'cleo orchestrate spawn T012 --prompt',
      'cleo orchestrate spawn T012 --task-tool',
    ],
    document: documentOf,
  },
  human: drawSpawn,
  async run(input, context) {
    const out = await handOut(context, input.id, optionsIn(input), input.replace)
    return out.ok ? answerFor(out, input) : out
  },
})
