import * as v from 'valibot'
import { parseEntryId } from '../kernel/entry-id.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { parseTaskId, TaskId } from '../kernel/task-id.ts'
import { describe, text } from '../kernel/text.ts'
import type { Context } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import { heldForAgents } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

/**
 * Accepts any text. A wrong id is refused later with "there is no entry X", which helps more than a message about
 * the form of ids.
 */
const Ref = () =>
  v.pipe(
    text(200),
    v.check((ref) => !ref.includes('\0'), 'must be the id of an entry'),
  )

/** The id of an entry, such as `T012-sign-up-form`, converted to its canonical form. */
const EntryId = v.pipe(
  Ref(),
  v.transform((ref) => parseEntryId(ref)?.id ?? ref),
)

/** The id of an entry, or the id of a task, which means the newest entry of that task. */
export const EntryRef = v.pipe(
  Ref(),
  v.transform((ref) => parseTaskId(ref) ?? parseEntryId(ref)?.id ?? ref),
)

export const isTask = (ref: string): boolean => parseTaskId(ref) === ref

export const findEntry = async (
  db: Db,
  ref: string,
): Promise<EntryRow | Failure<'entry.not_found' | 'entry.none'>> => {
  if (!isTask(ref)) return (await entries.find(db, ref)) ?? fail('entry.not_found', { id: ref })
  return (await entries.latestOf(db, [ref]))[0] ?? fail('entry.none', { task: ref })
}

export const LinkInput = v.strictObject({
  task: describe(TaskId, 'the task'),
  entry: describe(EntryId, 'the manifest entry'),
})

export const linkCodes = ['task.not_found', 'entry.not_found', 'claim.held'] as const

export const refusedLink = async (
  context: Context,
  db: Db,
  { task, entry }: v.InferOutput<typeof LinkInput>,
): Promise<Failure<(typeof linkCodes)[number]> | undefined> => {
  const row = await tasks.find(db, task)
  if (!row) return fail('task.not_found', { id: task })
  if (!(await entries.find(db, entry))) return fail('entry.not_found', { id: entry })
  return heldForAgents(context, db, row)
}

/** `noChange` is set if there was nothing to link or unlink. */
export const linkShape = () =>
  v.object({ taskId: v.string(), entryId: v.string(), noChange: v.optional(v.literal(true)) })
