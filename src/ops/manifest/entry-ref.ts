import * as v from 'valibot'
import { parseEntryId } from '../../contract/manifest/entry-id.ts'
import { type Failure, fail } from '../../model/result.ts'
import { parseTaskId } from '../../model/task-id.ts'
import type { EntryRow } from '../../store/entries.ts'
import * as entries from '../../store/entries.ts'
import type { Db } from '../../store/port.ts'

const canonical = (text: string): string | undefined => parseTaskId(text) ?? parseEntryId(text)?.id

/** `T012-sign-up-form`, in the one way it is kept. */
export const EntryId = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => parseEntryId(text) !== undefined, 'is the id of an entry such as T012-sign-up-form'),
  v.transform((text) => parseEntryId(text)!.id),
)

/** An entry, or a task for its newest one. */
export const EntryRef = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => canonical(text) !== undefined, 'is an entry such as T012-sign-up-form, or a task'),
  v.transform((text) => canonical(text)!),
)

export const isTask = (ref: string): boolean => !ref.includes('-')

export const findEntry = async (
  db: Db,
  ref: string,
): Promise<EntryRow | Failure<'entry.not_found' | 'entry.none'>> => {
  if (!isTask(ref)) return (await entries.find(db, ref)) ?? fail('entry.not_found', { id: ref })
  return (await entries.latestOf(db, [ref]))[0] ?? fail('entry.none', { task: ref })
}
