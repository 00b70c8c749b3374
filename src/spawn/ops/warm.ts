import * as v from 'valibot'
import { isAgent } from '../../kernel/actor.ts'
import { ok } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { chooseSkills } from '../choose-skills.ts'
import { composeNext } from '../compose-prompt.ts'
import { loadPrompt } from '../load-prompt.ts'
import { readTask } from '../task-to-spawn.ts'

export const warm = operation({
  name: 'orchestrate.warm',
  kind: 'mutate',
  tier: 1,
  summary: "Prepare the prompts of an epic's open tasks, so that spawning is fast.",
  input: v.strictObject({
    epic: describe(TaskId, 'the epic'),
    exact: v.optional(describe(v.boolean(), 'also measure the prompts with the real tokenizer'), false),
  }),
  output: () =>
    v.object({
      epic: v.string(),
      /** How many prompts were prepared. */
      tasks: v.number(),
      /** The skills that these prompts use, and how many tasks use each. */
      skills: v.array(v.object({ name: v.string(), tasks: v.number() })),
      warnings: v.array(v.string()),
    }),
  errors: ['task.not_found', 'epic.expected'],
  runsCommands: true,
  cli: { command: 'warm', positional: ['epic'], examples: ['cleo warm T001'] },
  human: ({ tasks, skills, warnings }, style) => [
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'} prepared`,
    ...style.table(
      skills.map(({ name, tasks }) => [`  ${name}`, String(tasks)]),
      0,
    ),
    ...warnings.map((warning) => `  ${style.yellow('warning')}: ${warning}`),
  ],
  async run({ epic, exact }, context) {
    const refusal = await epicRoot(context.store, epic)
    if (refusal) return refusal
    const used = new Map<string, number>()
    const warnings = new Set<string>()
    const open = await openLeaves(context, epic)
    const { plannedOptions } = await import('../work-place.ts')
    for (const id of open) {
      const options = { set: [], exact, allowUnresolved: true }
      const task = (await readTask(context.store, id))!
      const choice = { agent: isAgent(context.actor, context.host.env), named: false }
      const chosen = await chooseSkills(context, task, options)
      const planned = await plannedOptions(context, { task, protocol: chosen.protocol, options })
      const loaded = await loadPrompt(context, task, planned, { choice, chosen, from: context.root })
      await composeNext(context, task, loaded, planned)
      for (const { skill } of loaded.texts.skills) used.set(skill.name, (used.get(skill.name) ?? 0) + 1)
      for (const warning of loaded.warnings) warnings.add(warning)
    }
    const skills = [...used].map(([name, tasks]) => ({ name, tasks }))
    return ok({
      epic,
      tasks: open.length,
      skills: skills.sort((a, b) => b.tasks - a.tasks || (a.name < b.name ? -1 : 1)),
      warnings: [...warnings],
    })
  },
})

const openLeaves = async ({ store }: Context, epic: string): Promise<string[]> => {
  const below = await tasks.descendants(store, epic)
  const parents = new Set(below.filter(({ status }) => !closed(status)).map(({ parent }) => parent))
  return below.filter(({ id, status }) => !closed(status) && !parents.has(id)).map(({ id }) => id)
}
