import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { answerFor, documentOf, drawSpawn, spawnShape } from '../spawn-answer.ts'
import { optionsIn, spawnInput } from '../spawn-options.ts'
import { spawnCodes, spawnTask } from '../spawn-task.ts'

export const spawn = operation({
  name: 'orchestrate.spawn',
  kind: 'mutate',
  tier: 1,
  summary: 'Build and record the prompt for a subagent.',
  input: v.strictObject(spawnInput),
  output: spawnShape,
  errors: spawnCodes,
  personOnly: ({ replace }) => replace,
  cli: {
    command: 'spawn',
    suggestedFor: ['run', 'dispatch-agent', 'delegate'],
    positional: ['id'],
    examples: [
      'cleo spawn T012 --ref',
      'cleo spawn T012 --explain',
      'cleo spawn T012 --prompt',
      'cleo spawn T012 --task-tool',
    ],
    document: documentOf,
  },
  human: drawSpawn,
  async run(input, context) {
    const spawned = await spawnTask(context, input.id, optionsIn(input), {
      replace: input.replace,
      named: input.protocol !== undefined,
    })
    return spawned.ok ? answerFor(spawned, input) : spawned
  },
})
