import * as v from 'valibot'
import type { SpawnOptions } from '../../claims/sql/spawns.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail } from '../../kernel/result.ts'
import { readReply } from '../../kernel/return-line.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { openCatalogue } from '../../skills/skill-catalogue.ts'
import { previousAttempt, withPrevious } from '../previous-attempt.ts'
import { answerFor, documentOf, drawSpawn, spawnShape } from '../spawn-answer.ts'
import { optionsIn, spawnInput } from '../spawn-options.ts'
import { spawnCodes, spawnTask } from '../spawn-task.ts'

export const respawn = operation({
  name: 'orchestrate.respawn',
  kind: 'mutate',
  tier: 1,
  summary: 'Spawn a task again, adding any skill or files the last agent asked for.',
  input: v.strictObject({
    ...spawnInput,
    continue: v.optional(describe(v.boolean(), 'start from the commits of the last attempt'), false),
    message: v.optional(
      describe(text(200), "the last agent's request: `need skill: X` or `need level: X L2`"),
    ),
  }),
  output: spawnShape,
  errors: [...spawnCodes, 'spawn.none', 'return.invalid', 'skill.whole'],
  personOnly: { when: ['replace'] },
  runsCommands: true,
  cli: {
    command: 'respawn',
    suggestedFor: ['retry', 'rerun', 'restart'],
    positional: ['id'],
    examples: [
      'cleo respawn T012 --message "need skill: ct-test-runner" --ref',
      'cleo respawn T012 --continue --ref',
    ],
    document: documentOf,
  },
  human: drawSpawn,
  async run(input, context) {
    const { id, message } = input
    const last = await spawns.latest(context.store, id)
    if (!last) return fail('spawn.none', { task: id })
    const previous = await previousAttempt(context, last)
    const requested = message === undefined ? previous.need : readReply(message, []).need
    if (message !== undefined && !requested) return fail('return.invalid', { message, task: id })
    const skill = requested && (await openCatalogue(context)).find(requested.skill)
    if (requested?.level === 'L2' && skill?.references.length === 1)
      return fail('skill.whole', { name: requested.skill })
    if (message !== undefined && requested && !skill)
      return (await openCatalogue(context)).notFound(requested.skill)
    const before = overrideOptions(withoutPlace(JSON.parse(last.asked) as SpawnOptions), optionsIn(input))
    const { options, notes: without } = await withPrevious(context, before, last, {
      ...previous,
      ...(requested && { need: requested }),
    })
    const { replace, protocol } = input
    const spawned = await spawnTask(context, id, options, {
      replace,
      named: protocol !== undefined,
      continued: input.continue,
    })
    if (!spawned.ok) return spawned
    const notes = [...spawned.value.notes, ...without, ...manyAttemptsWarning(id, last.attempt)]
    return answerFor({ ...spawned, value: { ...spawned.value, notes } }, input)
  },
})

const manyAttempts = 3

/** After several attempts, suggests blocking the task, so that it appears in the inbox and a person decides. */
const manyAttemptsWarning = (id: string, attempts: number): string[] =>
  attempts >= manyAttempts
    ? [
        `${id} was spawned ${attempts} times before: ask a person; \`cleo block ${id} --reason "…"\` puts it into their inbox`,
      ]
    : []

/**
 * Returns the options without the worktree that CLEO made for the last attempt, because every attempt gets its own
 * worktree. Keeps a folder that the caller named.
 */
const withoutPlace = ({ tree, worktree, ...options }: SpawnOptions): SpawnOptions =>
  tree === undefined && worktree !== undefined ? { ...options, worktree } : options

/**
 * Returns the options of the last spawn, overridden by the options given now. An empty `skills` counts as given,
 * because it comes from `--skills ""`. An empty `set` does not count as given, because `set` is also empty if
 * `--set` is missing.
 */
const overrideOptions = (before: SpawnOptions, now: SpawnOptions): SpawnOptions => {
  const given = Object.entries(now).filter(
    ([name, value]) =>
      value !== undefined && value !== false && !(name === 'set' && (value as unknown[]).length === 0),
  )
  return { ...before, ...Object.fromEntries(given) }
}
