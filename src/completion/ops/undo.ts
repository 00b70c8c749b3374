import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { commandOf, undoCodes, undoLastCommand } from '../undo-command.ts'

/** At most this many tasks are listed in the answer for people. */
const mostListed = 20

export const undo = operation({
  name: 'tasks.undo',
  kind: 'mutate',
  tier: 1,
  summary: 'Undo your last command, unless a later change depends on it.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      /** The operation that was undone. */
      operation: v.string(),
      /** When the undone operation ran. */
      at: v.string(),
      /** The changed tasks, and what the undo did to each. */
      tasks: v.array(v.object({ id: v.string(), change: v.string() })),
    }),
  errors: undoCodes,
  cli: {
    command: 'undo',
    suggestedFor: ['revert', 'rollback'],
    examples: ['cleo undo', 'cleo undo --dry-run'],
  },
  human: ({ operation, tasks }, style) => [
    `Undone: ${commandOf(operation)}`,
    ...tasks.slice(0, mostListed).map(({ id, change }) => `  ${style.cyan(id)} ${change}`),
    ...(tasks.length > mostListed ? [`  and ${tasks.length - mostListed} more; --json lists them`] : []),
  ],
  run: (_, { write }) => write(undoLastCommand),
})
