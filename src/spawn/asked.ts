import * as v from 'valibot'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { printable } from '../kernel/print/printable.ts'
import { protocols } from '../kernel/protocol.ts'
import { TaskId } from '../kernel/task-id.ts'
import { describe, list, text } from '../kernel/text.ts'
import { strategies } from '../prompt/budget/strategy.ts'
import { fixedNames } from '../prompt/tokens/environment.ts'

const on = (about: string) => v.optional(describe(v.boolean(), about), false)

const Setting = v.pipe(
  v.string(),
  v.maxLength(4096, 'is limited to 4096 characters'),
  v.check((setting) => isTokenName(nameOf(setting)), 'is NAME=value, the name in capitals'),
  v.check((setting) => printable(setting) === setting, 'is one line of visible characters'),
  v.check((setting) => !fixedNames.includes(nameOf(setting)), 'gives a name that the task itself decides'),
)

const nameOf = (setting: string): string => setting.slice(0, Math.max(0, setting.indexOf('=')))
const isTokenName = (name: string): boolean => /^[A-Z][A-Z0-9_]{0,63}$/.test(name)

/** What the prompt is to hold; kept with the spawn, so that the next one can start from it. */
const wishes = {
  skills: v.optional(
    describe(
      list(text(100), 'skills', 10),
      'these skills, the first one the primary; chosen by the task when left out',
    ),
  ),
  strategy: v.optional(
    describe(v.picklist(strategies), 'how much of each skill; chosen by the task when left out'),
  ),
  tier: v.optional(
    describe(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2)),
      '0 points to protocol and skill, 1 embeds them, 2 embeds all there is',
    ),
  ),
  protocol: v.optional(describe(v.picklist(protocols), 'this protocol; chosen by the task when left out')),
  output: v.optional(describe(text(500), 'folder for the output file, below the project')),
  worktree: v.optional(describe(text(4096), 'folder the agent works in; the project when left out')),
  set: v.optional(
    v.pipe(describe(v.array(Setting), 'NAME=value for a token; repeatable'), v.metadata({ commas: false })),
    [],
  ),
  contextUsed: v.optional(
    describe(
      v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      'percent of its context the caller has used; above 70 skills are kept minimal',
    ),
  ),
  exact: on('count with the real tokenizer'),
  allowUnresolved: on('leave unknown tokens as they are, with a warning'),
}

/** How the answer is given. */
const manner = {
  replace: on('take the task from an agent that is at work on it; for people only'),
  ref: on('store the prompt and print only where it is'),
  prompt: on('print the prompt alone'),
  taskTool: on("print the call for a host's Task tool"),
  explain: on('show what each part costs and what was cut'),
}

export const spawnInput = {
  id: describe(TaskId, 'the task to hand out'),
  ...wishes,
  outputFormat: v.optional(
    describe(v.picklist(['manifest+file']), 'what the agent delivers'),
    'manifest+file',
  ),
  ...manner,
}

const Options = v.object(wishes)

/** The options among an input, in a fixed order. */
export const optionsIn = (input: v.InferOutput<typeof Options>): SpawnOptions => {
  const { skills, strategy, tier, protocol, output, worktree, set, contextUsed, exact, allowUnresolved } =
    input
  return { skills, strategy, tier, protocol, output, worktree, set, contextUsed, exact, allowUnresolved }
}
