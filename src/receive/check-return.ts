import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { type Failure, fail, type Problem } from '../kernel/result.ts'
import { type Reply, type ReturnStatus, returnLines, returnWords } from '../kernel/return-line.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { beginning } from '../print/printable.ts'
import type { TaskRow } from '../store/rows.ts'

export interface SubmittedEntry {
  id: string
  status: ReturnStatus
  body: Record<string, unknown>
}

export const submittedEntry = async (
  { store }: Context,
  spawn: string,
): Promise<SubmittedEntry | undefined> => {
  const row = await entries.ofSpawn(store, spawn)
  return row && { id: row.id, status: row.status, body: JSON.parse(row.body) as Record<string, unknown> }
}

/**
 * What is wrong with a reply: a code that is recorded with the return, and words that say what the subagent did wrong.
 */
export interface LineFault {
  code: 'return.invalid' | 'return.more' | 'return.status'
  what: string
}

/**
 * Compares a reply with the return lines that the prompt allows, and with the entry. A difference is only a warning,
 * because the entry decides the outcome.
 */
export const lineFault = (
  { reply, message }: { reply?: Reply; message?: string },
  entry: SubmittedEntry | undefined,
): LineFault | undefined => {
  if (!reply) return undefined
  const { said, need, alone } = reply
  if (said === undefined && need === undefined) {
    const what = message
      ? `"${beginning(message)}" is not one of the allowed return lines`
      : 'the subagent returned an empty message'
    return { code: 'return.invalid', what }
  }
  if (entry && said !== undefined && said !== entry.status)
    return {
      code: 'return.status',
      what: `it returned ${said}, but its entry ${entry.id} has status ${entry.status}`,
    }
  return alone ? undefined : { code: 'return.more', what: 'the reply holds more than the return line' }
}

/** Returns what the audit log records about the reply, for the rule BASE-002. */
export const lineRecord = (reply: Reply | undefined, fault: LineFault | undefined): { line?: string } =>
  fault ? { line: fault.code } : reply ? {} : { line: 'none' }

export const wordsOf = ({ stage }: TaskRow, { protocol }: SpawnRow): string[] =>
  returnWords(protocol, stage ?? protocol)

/** Lists everything that is missing, then the problem of the return line. */
export const missingEntry = async (
  context: Context,
  { task, spawn, reply, fault }: { task: TaskRow; spawn: SpawnRow; reply?: Reply; fault?: LineFault },
): Promise<{ failure: Failure<'manifest.missing'>; unread?: string }> => {
  const { requirementsOf } = await import('../standing/missing-requirements.ts')
  const { standingOf } = await import('../standing/standing.ts')
  const standing = await standingOf(context, task.id, { spawn: spawn.id })
  const { quarantined } = standing
  const said = reply?.said
  const claims = said === 'complete' ? 'claims to be done, but ' : said ? `returned ${said}, but ` : ''
  const message = quarantined
    ? `${spawn.id} ${claims}submitted a line that could not be read as an entry: ${quarantined}`
    : `${spawn.id} ${claims}submitted no manifest entry.`
  const problems = requirementsOf(standing).missing.map(({ path, message, code }) => ({
    path,
    message: code === 'manifest.missing' ? 'none' : message,
    code,
  }))
  const failure = {
    ...fail('manifest.missing', { id: task.id, problems: [...problems, ...lineProblem(fault)] }),
    message,
    ...forOrchestrator(task.id),
    ...(fault?.code === 'return.invalid' && { alternatives: returnLines(wordsOf(task, spawn)[0]!) }),
  }
  return { failure, ...(quarantined !== undefined && { unread: quarantined }) }
}

export const lineProblem = (fault: LineFault | undefined): Problem[] =>
  fault ? [{ path: 'return line', message: fault.what }] : []

/** Needed only where `finishTask` is not called, because `finishTask` also checks the file. */
export const missingFile = async (
  context: Context,
  spawn: SpawnRow,
): Promise<Failure<'output.missing'> | undefined> => {
  const { id, task } = spawn
  const { entryFileOf } = await import('../standing/entry-file.ts')
  const entry = (await entries.ofSpawn(context.store, id))!
  const body = JSON.parse(entry.body) as Record<string, unknown>
  const file = await entryFileOf(context, entry, body, optionsOf(spawn))
  if (file && file.state !== 'missing') return undefined
  const { problems: _, ...failure } = fail('output.missing', { id: task, problems: [] })
  const why = `${file?.why ?? 'is missing'}${file ? ` (${file.path})` : ''}`
  return {
    ...failure,
    message: `${id} submitted an entry whose file ${why}.`,
    ...forOrchestrator(task),
  }
}

/** The orchestrator cannot submit a missing entry or file. It can only respawn the task. */
const forOrchestrator = (task: string) => ({ fix: `cleo respawn ${task} --ref` })
