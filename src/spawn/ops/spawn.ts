import '../../host/file-system.ts'
import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
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
  personOnly: { when: ['replace'] },
  runsCommands: true,
  tool: ['id', 'ref'],
  cli: {
    command: 'spawn',
    suggestedFor: ['dispatch-agent', 'delegate', 'launch', 'exec'],
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
    // Load `previous-attempt.ts` only if the task was spawned before. That module finds out what was missing in the
    // earlier attempt, and adds it to the options of this spawn.
    const isFirst = (await spawns.lastAttempt(context.store, input.id)) === undefined
    const { attemptBefore, withPrevious } = isFirst ? {} : await import('../previous-attempt.ts')
    const before = await attemptBefore?.(context, input.id)
    const { options, notes } =
      before && withPrevious
        ? await withPrevious(context, optionsIn(input), before.last, before.previous)
        : { options: optionsIn(input), notes: [] }
    const spawned = await spawnTask(context, input.id, options, {
      replace: input.replace,
      named: input.protocol !== undefined,
    })
    if (!spawned.ok) return spawned
    const { value } = spawned
    return answerFor({ ...spawned, value: { ...value, notes: [...value.notes, ...notes] } }, input)
  },
})
