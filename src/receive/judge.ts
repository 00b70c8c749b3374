import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { type Failure, fail } from '../kernel/result.ts'
import {
  type Need,
  type Returned,
  readNeed,
  readReturn,
  returnLines,
  returnWords,
  withoutLineEnd,
} from '../kernel/return-line.ts'
import { ingest } from '../manifest/ingest.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import type { TaskRow } from '../store/rows.ts'

export interface Handed {
  id: string
  status: Returned
  body: Record<string, unknown>
}

/** What a line says, by the words that the spawn's protocol and the task's stage allow; a refusal lists the lines. */
export const readLine = (
  message: string,
  { id, stage }: TaskRow,
  { protocol }: SpawnRow,
): { said: Returned } | { need: Need } | Failure<'return.invalid'> => {
  const words = returnWords(protocol, stage ?? protocol)
  const said = readReturn(message, words)
  if (said) return { said }
  const line = withoutLineEnd(message)
  const need = readNeed(line)
  return need ? { need } : fail('return.invalid', { message: line, task: id, lines: returnLines(words[0]!) })
}

/** The entry of a spawn, once everything that was appended is in; it has to be there and to say what the line says. */
export const handedIn = async (
  context: Context,
  spawn: SpawnRow,
  said: Returned,
): Promise<{ handed: Handed; warnings: string[] } | Failure<'manifest.missing' | 'return.status'>> => {
  const work = await workFolder(context, optionsOf(spawn))
  const { warnings } = await ingest(context, work === context.root ? [] : [work])
  const row = await entries.ofSpawn(context.store, spawn.id)
  if (!row) return missing(spawn, said)
  const { id, status, body } = row
  if (status !== said)
    return fail('return.status', { task: spawn.task, spawn: spawn.id, said, entry: id, status })
  return { handed: { id, status, body: JSON.parse(body) as Record<string, unknown> }, warnings }
}

const missing = ({ id, task }: SpawnRow, said: Returned): Failure<'manifest.missing'> =>
  reworded(
    fail('manifest.missing', { id: task, problems: [] }),
    `${id} said ${said}, but appended no manifest entry.`,
    task,
  )

/** The entry's file has to be there; what the gates rest on was looked at when the task was completed. */
export const fileMissing = async (
  context: Context,
  spawn: SpawnRow,
): Promise<Failure<'output.missing'> | undefined> => {
  const { id, task } = spawn
  const { entryFileOf } = await import('../evidence/entry-file.ts')
  const entry = (await entries.ofSpawn(context.store, id))!
  const body = JSON.parse(entry.body) as Record<string, unknown>
  const file = await entryFileOf(context, entry, body, optionsOf(spawn))
  if (file && file.state !== 'missing') return undefined
  return reworded(
    fail('output.missing', { id: task, problems: [] }),
    `${id} handed in an entry whose file ${file?.why ?? 'is not there'}${file ? ` (${file.path})` : ''}.`,
    task,
  )
}

/** In words for one who receives: what is missing is not for the caller to hand in. */
const reworded = <F extends Failure>({ problems: _, ...failure }: F, message: string, task: string) => ({
  ...failure,
  message,
  fix: `cleo orchestrate respawn ${task} --ref`,
})
