import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import type { Finding } from '../kernel/finding.ts'
import { problemSentence } from '../kernel/refusals/refusal.ts'
import type { Context } from '../operation/context.ts'
import { lookAtOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { allEntries } from './all-entries.ts'
import { readEntry } from './entry.ts'
import { type Fields, isObject } from './pieces.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'
import * as links from './sql/links.ts'

/** Everything that is wrong with entries as they stand now. */
export const examineEntries = async (
  context: Context,
  task?: string,
): Promise<{ checked: number; findings: Finding[] }> => {
  const findings: Finding[] = []
  let checked = 0
  for await (const row of allEntries(context.store)) {
    if (task !== undefined && row.task !== task) continue
    checked++
    findings.push(...(await examine(context, row)))
  }
  return { checked, findings }
}

const examine = async (context: Context, row: EntryRow): Promise<Finding[]> => {
  const say = (level: Finding['level'], message: string): Finding => ({ level, file: row.id, message })
  const fields = parsed(row.body)
  if (!fields) return [say('error', 'is not JSON')]
  const derived = { date: '', agent_type: '' }
  const { entry, problems } = readEntry(fields, { derived, lenient: true, research: false })
  const shape = problems.map((problem) => say('error', problemSentence(problem)))
  const linked = await lost(context, row.id, entry.linked_tasks ?? [])
  const links = linked.map((id) => say('error', `names ${id}, and there is no such task`))
  return [...shape, ...links, ...(entry.file ? await fileFindings(context, row, entry.file, say) : [])]
}

const parsed = (body: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const lost = async ({ store }: Context, id: string, said: readonly string[]): Promise<string[]> => {
  const linked = await links.ofEntry(store, id)
  const ids = [...new Set([...said, ...linked.map(({ task }) => task)])]
  const found = await tasks.findMany(store, ids)
  return ids.filter((each) => !found.has(each))
}

/** The file as it is now. That of an earlier entry may have been written on for a later one. */
const fileFindings = async (
  context: Context,
  { seq, task, spawn, place, sha256 }: EntryRow,
  file: string,
  say: (level: Finding['level'], message: string) => Finding,
): Promise<Finding[]> => {
  const asked = optionsOf(spawn === null ? undefined : await spawns.find(context.store, spawn))
  const found = await lookAtOutput(context, workFoldersIn(context, place || context.root, asked), file)
  if (found.why) return [say('error', `${file} ${found.why}`)]
  const [newest] = await entries.latestOf(context.store, [task])
  const changed = newest?.seq === seq && sha256 !== null && found.sha256 !== sha256
  return changed ? [say('warning', `${file} has changed since the entry came`)] : []
}
