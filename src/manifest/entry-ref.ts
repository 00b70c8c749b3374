import * as v from 'valibot'
import { parseEntryId } from '../kernel/entry-id.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import { text } from '../kernel/text.ts'
import type { Db } from '../store/port.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

/** What looks like no entry is looked for all the same: that there is none says more than how one looks. */
const Ref = () =>
  v.pipe(
    text(200),
    v.check((ref) => !ref.includes('\0'), 'is not the id of an entry'),
  )

/** `T012-sign-up-form`, in the one way it is kept. */
export const EntryId = v.pipe(
  Ref(),
  v.transform((ref) => parseEntryId(ref)?.id ?? ref),
)

/** An entry, or a task for its newest one. */
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
