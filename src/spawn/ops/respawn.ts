import * as v from 'valibot'
import type { SpawnOptions } from '../../claims/sql/spawns.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail } from '../../kernel/result.ts'
import { readNeed } from '../../kernel/return-line.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { openCatalogue } from '../../skills/catalogue.ts'
import { answerFor, spawnShape } from '../answer.ts'
import { optionsIn, spawnInput } from '../asked.ts'
import { documentOf, drawSpawn } from '../explain.ts'
import { handOut, handOutCodes } from '../hand-out.ts'
import { type LeftBehind, leftBehind } from '../left-behind.ts'
import type { Report } from '../record.ts'

export const respawn = operation({
  name: 'orchestrate.respawn',
  kind: 'mutate',
  tier: 1,
  summary: 'Hand a task out again, as before and with what the last agent asked for.',
  input: v.strictObject({
    ...spawnInput,
    message: v.optional(
      describe(text(200), 'what the last agent returned: `need skill: X`, `need level: X L2`'),
    ),
  }),
  output: spawnShape,
  errors: [...handOutCodes, 'spawn.none', 'return.invalid', 'skill.whole'],
  personOnly: ({ replace }) => replace,
  cli: {
    command: 'orchestrate respawn',
    positional: ['id'],
    examples: ['cleo orchestrate respawn T012 --message "need skill: ct-test-runner" --ref'],
    document: documentOf,
  },
  human: drawSpawn,
  async run(input, context) {
    const { id, message } = input
    const last = await spawns.latest(context.store, id)
    if (!last) return fail('spawn.none', { task: id })
    const left = await leftBehind(context, last)
    const asked = message === undefined ? left.need : readNeed(message)
    if (message !== undefined && !asked) return fail('return.invalid', { message })
    const skill = asked && (await openCatalogue(context)).find(asked.skill)
    if (asked?.level === 'L2' && skill?.references.length === 1)
      return fail('skill.whole', { name: asked.skill })
    // Nobody has what does not exist: that it was asked for was said when the line was received.
    const need = message === undefined && !skill ? undefined : asked
    const { skills } = JSON.parse(last.report) as Report
    const had = skills.map(({ name }) => name)
    const wishes = withLeft(over(JSON.parse(last.asked) as SpawnOptions, optionsIn(input)), left, had)
    const carried = need ? withNeed(wishes, need, had) : wishes
    // One that has returned uses its lease no more: waiting for its end would help nobody.
    const out = await handOut(context, id, carried, input.replace || (left.returned && last.id))
    if (!out.ok) return out
    const warnings = [
      ...(asked && !need ? [`there is no skill ${asked.skill}: it goes without it`] : []),
      ...triedOften(id, last.attempt),
    ]
    const { prepared } = out.value
    const value = { ...out.value, prepared: { ...prepared, warnings: [...prepared.warnings, ...warnings] } }
    return answerFor({ ...out, value }, input)
  },
})

const enough = 3

/** More of the same seldom helps; whoever blocks the task has it before a person. */
const triedOften = (id: string, attempts: number): string[] =>
  attempts >= enough
    ? [
        `${id} was handed out ${attempts} times before: a person should look at it; \`cleo block ${id} --reason "…"\` puts it into their inbox`,
      ]
    : []

/** What was asked for last time, unless this time says otherwise. */
const over = (before: SpawnOptions, now: SpawnOptions): SpawnOptions => {
  const said = Object.entries(now).filter(
    ([, value]) => value !== undefined && value !== false && !isEmpty(value),
  )
  return { ...before, ...Object.fromEntries(said) }
}
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const most = { skills: 10, references: 4 }

/** What the last attempt pointed to and lacked, and what it did wrong; the latter is said once. */
const withLeft = (
  { breach: _, ...wishes }: SpawnOptions,
  { breach, references, skills }: LeftBehind,
  had: readonly string[],
): SpawnOptions => ({
  ...wishes,
  ...(skills.length > 0 && {
    skills: [...new Set([...(wishes.skills ?? had), ...skills])].slice(0, most.skills),
  }),
  ...(references.length > 0 && {
    references: [...new Set([...references, ...(wishes.references ?? [])])].slice(0, most.references),
  }),
  ...(breach !== undefined && { breach }),
})

const withNeed = (
  wishes: SpawnOptions,
  need: { skill: string; level: string },
  had: readonly string[],
): SpawnOptions => ({
  ...wishes,
  skills: [...new Set([...(wishes.skills ?? had), need.skill])],
  ...(need.level === 'L2' && { deeper: [...new Set([...(wishes.deeper ?? []), need.skill])] }),
})
