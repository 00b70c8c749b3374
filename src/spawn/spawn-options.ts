import * as v from 'valibot'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { protocols } from '../kernel/protocol.ts'
import { TaskId } from '../kernel/task-id.ts'
import { describe, list, text } from '../kernel/text.ts'
import { printable } from '../print/printable.ts'
import { strategies } from '../prompt/budget/strategy.ts'
import { fixedNames } from '../prompt/tokens/names.ts'

const booleanFlag = (about: string) => v.optional(describe(v.boolean(), about), false)

const Setting = v.pipe(
  v.string(),
  v.maxLength(4096, 'is limited to 4096 characters'),
  v.check((setting) => isTokenName(nameOf(setting)), 'must be NAME=value, with the name in capitals'),
  v.check((setting) => printable(setting) === setting, 'must be one line of visible characters'),
  v.check((setting) => !fixedNames.includes(nameOf(setting)), 'must not set a reserved name'),
)

const nameOf = (setting: string): string => setting.slice(0, Math.max(0, setting.indexOf('=')))
const isTokenName = (name: string): boolean => /^[A-Z][A-Z0-9_]{0,63}$/.test(name)

/** Options that decide the content of the prompt. They are recorded with the spawn, because a respawn reuses them. */
const promptOptions = {
  skills: v.optional(
    describe(list(text(100), 'skills', 10), 'skills to include, primary first; default: chosen for the task'),
  ),
  strategy: v.optional(
    describe(v.picklist(strategies), 'how much of each skill to include; default: chosen for the task'),
  ),
  tier: v.optional(
    describe(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2)),
      'how the prompt gives protocol and skills; 0: as a file path; 1: in full; 2: in full, with the files they refer to',
    ),
  ),
  protocol: v.optional(describe(v.picklist(protocols), 'protocol to use; default: chosen for the task')),
  output: v.optional(describe(text(500), 'folder for the output file, inside the project')),
  worktree: v.optional(describe(text(4096), 'adopt this git worktree instead of making one')),
  here: booleanFlag('work in the shared checkout instead of a new worktree'),
  set: v.optional(
    v.pipe(
      describe(
        v.pipe(v.array(Setting), v.maxLength(100, 'is limited to 100 values')),
        'value of a template token, as NAME=value',
      ),
      v.metadata({ commas: false }),
    ),
    [],
  ),
  contextUsed: v.optional(
    describe(
      v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      'percentage of your context that is in use; above 70, skills are in their minimal form',
    ),
  ),
  exact: booleanFlag('measure the prompt with the real tokenizer, not by an estimate'),
  allowUnresolved: booleanFlag('leave unknown template tokens as they are, with a warning'),
}

/** Options that apply to one call and are not recorded: whether to replace an agent, and how to print the answer. */
const outputOptions = {
  replace: booleanFlag('replace the agent that works on the task; for people only'),
  ref: booleanFlag('store the prompt and print only its path'),
  prompt: booleanFlag('print the prompt alone'),
  taskTool: booleanFlag("print the call for the agent client's Task tool"),
  explain: booleanFlag('count the tokens of each prompt part; show what was cut'),
}

export const spawnInput = {
  id: describe(TaskId, 'task to spawn'),
  ...promptOptions,
  outputFormat: v.optional(
    describe(v.picklist(['manifest+file']), 'what the agent submits; there is only this format'),
    'manifest+file',
  ),
  ...outputOptions,
}

const Options = v.object(promptOptions)

/** Picks the prompt options out of an input, in a fixed order. */
export const optionsIn = (input: v.InferOutput<typeof Options>): SpawnOptions => {
  const { skills, strategy, tier, protocol, output, worktree, here, set, contextUsed, exact } = input
  const { allowUnresolved } = input
  const place = { output, worktree, ...(here && { here }) }
  return { skills, strategy, tier, protocol, ...place, set, contextUsed, exact, allowUnresolved }
}
