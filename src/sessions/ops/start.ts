import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { parseTaskId, TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { sessionLine, toLine } from '../session-shape.ts'
import * as sessions from '../sql.ts'

export const start = operation({
  name: 'session.start',
  kind: 'mutate',
  tier: 1,
  summary: 'Start a session and print the id to set as CLEO_SESSION_ID.',
  input: v.strictObject({
    name: v.optional(
      describe(text(200), 'what the session is for; or the id of an epic, to limit the session to it'),
    ),
    epic: v.optional(describe(TaskId, 'limit the session to this epic (default: whole project)')),
  }),
  output: sessionLine,
  errors: ['scope.invalid'],
  cli: {
    command: 'session start',
    positional: ['name'],
    examples: ['cleo session start T001', 'cleo session start "accounts, first pass" --epic T001'],
  },
  human: ({ id, scope }, style) => [`${style.cyan(id)} started (${scope})`, `  export CLEO_SESSION_ID=${id}`],
  run: (input, { actor, host, write }) =>
    write(async (tx) => {
      const { name, epic } = input.epic === undefined ? nameOrEpic(input.name) : input
      const scope = epic === undefined ? undefined : await tasks.find(tx.db, epic)
      if (epic && !scope) return fail('scope.invalid', { id: epic, why: 'there is no such task' })
      if (scope && scope.type !== 'epic')
        return fail('scope.invalid', { id: scope.id, why: `it is a ${scope.type}, not an epic` })
      const id = `ses_${host.randomId(12)}`
      await sessions.insert(tx.db, {
        id,
        name: name ?? scope?.title ?? 'session',
        scope: epic ?? null,
        actor: actor.id,
        started_at: tx.now,
      })
      await tx.record({ after: { session: id, name, epic } })
      tx.emit('session.started')
      return ok(toLine((await sessions.find(tx.db, id))!))
    }),
})

/** In `session start T001`, reads T001 as the epic. Without the letter T, a number is read as a name. */
const nameOrEpic = (given: string | undefined): { name?: string; epic?: string } => {
  const letter = given?.trim()[0]
  const id = letter === 'T' || letter === 't' ? parseTaskId(given!) : undefined
  return id === undefined ? { name: given } : { epic: id }
}
