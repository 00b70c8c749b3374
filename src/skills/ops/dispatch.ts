import * as v from 'valibot'
import { protocols } from '../../kernel/protocol.ts'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as lists from '../../tasks/sql/lists.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { chooseSkill } from '../choose-skill.ts'
import { dispatchRules, reasonOf } from '../dispatch.ts'
import { openCatalogue } from '../skill-catalogue.ts'

export const dispatch = operation({
  name: 'orchestrate.dispatch',
  kind: 'query',
  tier: 1,
  summary: 'Show which protocol and skill a task gets, and why.',
  input: v.strictObject({ id: describe(TaskId, 'the task') }),
  output: () =>
    v.object({
      protocol: v.picklist(protocols),
      skill: v.string(),
      /** The rule that decided. */
      rule: v.picklist(dispatchRules),
      /** The labels or words of the title that matched the rule. */
      matched: v.array(v.string()),
    }),
  errors: ['task.not_found'],
  cli: {
    command: 'dispatch',
    positional: ['id'],
    examples: ['cleo dispatch T012'],
  },
  human: ({ protocol, skill, rule, matched }, style) => [
    `${style.bold(protocol)} with ${style.cyan(skill)}  ${style.dim(`(by ${reasonOf({ rule, matched })})`)}`,
  ],
  async run({ id }, context) {
    const row = await tasks.find(context.store, id)
    if (!row) return fail('task.not_found', { id })
    const { type, title, stage } = row
    const { labels, files } = await lists.readAll(context.store, id)
    const task = { type, title, labels, files, ...(stage && { stage }) }
    const { dispatched, warnings } = chooseSkill(context, await openCatalogue(context), task)
    const { protocol, skill, rule, matched } = dispatched
    return ok({ protocol, skill, rule, matched }, { warnings })
  },
})
