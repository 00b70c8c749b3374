import * as v from 'valibot'
import { consensusLineShape, drawVotes } from '../../kernel/consensus-line.ts'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf, paging } from '../../operation/paging.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { consensusLine } from '../consensus-line.ts'
import { readTallies } from '../read-tally.ts'
import * as consensus from '../sql.ts'
import { whyUndecided } from '../verdict-text.ts'

export const list = operation({
  name: 'consensus.list',
  kind: 'query',
  tier: 1,
  summary: 'List all consensus votes, undecided ones first.',
  input: v.strictObject({
    epic: v.optional(describe(TaskId, 'only votes that belong to tasks of this epic')),
    open: v.optional(describe(v.boolean(), 'only votes that are not decided')),
    ...paging,
  }),
  output: () => v.object({ consensus: v.array(consensusLineShape()) }),
  errors: ['task.not_found', 'input.invalid'],
  cli: {
    command: 'consensus list',
    examples: ['cleo consensus list', 'cleo consensus list --epic T001 --open'],
  },
  human: ({ consensus }, style) =>
    consensus.length === 0
      ? [style.dim('No votes.')]
      : style.table(
          consensus.map((line) => [style.cyan(line.id), line.taskId, line.question, drawVotes(line)]),
          2,
        ),
  async run({ epic, open, limit, after }, { store }) {
    const from = after === undefined ? 0 : Number(after)
    if (!Number.isSafeInteger(from) || from < 0) {
      const problems = [{ path: 'after', message: 'must be the `next` value of the previous page' }]
      return fail('input.invalid', { problems })
    }
    const root = epic === undefined ? undefined : await tasks.find(store, epic)
    if (epic !== undefined && !root) return fail('task.not_found', { id: epic })
    const tallies = await readTallies(store, await consensus.all(store, root?.root))
    const undecided = tallies.filter((each) => whyUndecided(each) !== undefined)
    const decided = tallies.filter((each) => whyUndecided(each) === undefined).reverse()
    const lines = (open ? undecided : [...undecided, ...decided]).map(consensusLine)
    const { shown, ...next } = pageOf(lines.slice(from), limit, () => String(from + limit))
    return ok({ consensus: shown }, { page: { total: lines.length, limit, ...next } })
  },
})
