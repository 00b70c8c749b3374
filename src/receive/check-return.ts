import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { type Failure, fail } from '../kernel/result.ts'
import {
  type Need,
  type ReturnStatus,
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

/** The entry that a spawn submitted. */
export interface SubmittedEntry {
  id: string
  status: ReturnStatus
  body: Record<string, unknown>
}

/** Reads a subagent's return line. Protocol and stage decide which lines are allowed; a refusal lists them. */
export const readLine = (
  message: string,
  { id, stage }: TaskRow,
  { protocol }: SpawnRow,
): { said: ReturnStatus } | { need: Need } | Failure<'return.invalid'> => {
  const words = returnWords(protocol, stage ?? protocol)
  const said = readReturn(message, words)
  if (said) return { said }
  const line = withoutLineEnd(message)
  const need = readNeed(line)
  return need ? { need } : fail('return.invalid', { message: line, task: id, lines: returnLines(words[0]!) })
}

/** Ingests new manifest lines and returns the spawn's entry. Its status must match the return line. */
export const submittedEntry = async (
  context: Context,
  spawn: SpawnRow,
  said: ReturnStatus,
): Promise<{ entry: SubmittedEntry; warnings: string[] } | Failure<'manifest.missing' | 'return.status'>> => {
  const work = await workFolder(context, optionsOf(spawn))
  const { warnings } = await ingest(context, work === context.root ? [] : [work])
  const row = await entries.ofSpawn(context.store, spawn.id)
  if (!row) return missingEntry(spawn, said)
  const { id, status, body } = row
  if (status !== said)
    return fail('return.status', { task: spawn.task, spawn: spawn.id, said, entry: id, status })
  return { entry: { id, status, body: JSON.parse(body) as Record<string, unknown> }, warnings }
}

const missingEntry = ({ id, task }: SpawnRow, said: ReturnStatus): Failure<'manifest.missing'> =>
  rewordForOrchestrator(
    fail('manifest.missing', { id: task, problems: [] }),
    `${id} said ${said}, but appended no manifest entry.`,
    task,
  )

/** Refuses an entry whose output file is missing. Needed only if `finishTask`, which checks more, is not called. */
export const missingFile = async (
  context: Context,
  spawn: SpawnRow,
): Promise<Failure<'output.missing'> | undefined> => {
  const { id, task } = spawn
  const { entryFileOf } = await import('../evidence/entry-file.ts')
  const entry = (await entries.ofSpawn(context.store, id))!
  const body = JSON.parse(entry.body) as Record<string, unknown>
  const file = await entryFileOf(context, entry, body, optionsOf(spawn))
  if (file && file.state !== 'missing') return undefined
  return rewordForOrchestrator(
    fail('output.missing', { id: task, problems: [] }),
    `${id} submitted an entry whose file ${file?.why ?? 'is missing'}${file ? ` (${file.path})` : ''}.`,
    task,
  )
}

/** Rewords a refusal for the orchestrator, who can only respawn the task, not submit the missing entry or file. */
const rewordForOrchestrator = <F extends Failure>(
  { problems: _, ...failure }: F,
  message: string,
  task: string,
) => ({
  ...failure,
  message,
  fix: `cleo respawn ${task} --ref`,
})
