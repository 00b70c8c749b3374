import type { SpawnWork } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { parseEntryId } from '../kernel/entry-id.ts'
import { canonicalSpawnId, parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import { inspectOutput, outputName, outputsOf, relativeToManifest } from '../output/output-file.ts'
import { agentTypeOf } from '../output/task-protocol.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import { problemSentence } from '../refusals/refusal.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Entry, readEntry } from './entry.ts'
import type { ManifestLine } from './manifest-lines.ts'
import type { WrittenFields } from './parse-object.ts'

/**
 * A line that is valid by itself. `judgeConflicts` compares it with stored entries, in the transaction that stores
 * it.
 */
export interface ValidLine {
  line: ManifestLine
  entry: Entry
  task: string
  spawn: string | null
  /** Hash of the output file; null if the file does not exist. */
  sha256: string | null
  warnings: string[]
}

/** A line that goes to the quarantine instead of becoming an entry. */
export interface InvalidLine {
  line: ManifestLine
  reason: string
}

/**
 * Judges each line by itself: its task, its spawn, its fields and its output file. Runs before the transaction,
 * because it reads files.
 */
export const judgeAlone = async (
  context: Context,
  folders: WorkFolders,
  lines: readonly ManifestLine[],
): Promise<(ValidLine | InvalidLine)[]> => {
  const ids = lines.map(({ fields }) => (fields ? idOf(fields) : undefined))
  const linked = lines.flatMap(({ fields }) => strings(fields?.['linked_tasks']))
  const owners = [...new Set(ids.flatMap((id) => (id ? [id.task] : [])))]
  const known = await tasks.findMany(context.store, [...new Set([...owners, ...linked])])
  const latest = await spawns.latestWork(context.store, owners)
  const now = await context.store.now()
  const judged: (ValidLine | InvalidLine)[] = []
  for (const [i, line] of lines.entries()) {
    const { fields, reason } = line
    const id = ids[i]
    const task = id && known.get(id.task)
    if (!fields) judged.push({ line, reason: reason! })
    else if (!id) judged.push({ line, reason: 'id: is missing, or is not "T012-slug"' })
    else if (!task) judged.push({ line, reason: `id: there is no task ${id.task}` })
    else {
      const facts = { id: id.id, task, latest: latest.get(task.id), known, now }
      judged.push(await judgeLine(context, folders, line, fields, facts))
    }
  }
  return judged
}

const idOf = ({ id, file }: WrittenFields): { id: string; task: string } | undefined => {
  if (id != null) return typeof id === 'string' ? parseEntryId(id.trim()) : undefined
  if (typeof file !== 'string') return undefined
  const name = file.slice(file.lastIndexOf('/') + 1)
  return parseEntryId(name.slice(0, name.lastIndexOf('.')))
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

interface LineFacts {
  id: string
  task: TaskRow
  /** The latest spawn of the task. */
  latest?: SpawnWork
  /** The tasks that the lines name, by id. A task that does not exist is missing here. */
  known: ReadonlyMap<string, TaskRow>
  now: number
}

const judgeLine = async (
  context: Context,
  folders: WorkFolders,
  line: ManifestLine,
  fields: WrittenFields,
  { id, task, latest, known, now }: LineFacts,
): Promise<ValidLine | InvalidLine> => {
  const owner = ownerOf(fields, task.id, latest)
  if ('reason' in owner) return { line, reason: owner.reason }
  const own = latest ? workFoldersIn(context, folders.work, optionsOf(latest)) : folders
  const [output] = fields['file'] == null ? await outputsNamed(context, own, id, task) : []
  const { entry, problems, warnings } = readEntry(fields, {
    defaults: {
      id,
      file: output ? relativeToManifest(own, output) : outputName(task),
      title: task.title,
      date: iso(now).slice(0, 10),
      agent_type: agentTypeOf(task, latest),
    },
    lenient: true,
    research: latest?.protocol === 'research' || fields['agent_type'] === 'research',
  })
  if (problems.length > 0) return { line, reason: problems.map(problemSentence).join('; ') }
  const file = await inspectOutput(context, own, entry.file)
  if (file.why && !file.missing) return { line, reason: `file: ${entry.file} ${file.why}` }
  const incomplete = file.missing ? 'does not exist' : file.unfilled && `is not filled in: ${file.unfilled}`
  const links = withoutUnknownTasks(entry, known)
  return {
    line,
    entry: { ...entry, file: file.file, ...links.kept },
    task: task.id,
    spawn: owner.spawn,
    sha256: file.sha256 ?? null,
    warnings: [
      ...owner.warnings,
      ...warnings,
      ...(incomplete ? [`${entry.file} ${incomplete}`] : []),
      ...links.warnings,
    ],
  }
}

/**
 * Returns the output file that is named after the entry's id, if this file has text. Otherwise returns the output
 * files of the task.
 */
const outputsNamed = async (
  context: Context,
  folders: WorkFolders,
  id: string,
  task: TaskRow,
): Promise<string[]> => {
  const named = `${folders.output}/${id}.md`
  return context.host.files.sizeSeen(named) > 0 ? [named] : outputsOf(context, folders, task)
}

/**
 * Returns the spawn that owns a line: the spawn that the line names, or else the latest spawn of the line's task.
 * Refuses a line that names a spawn of another task.
 */
const ownerOf = (
  { spawnId: claim, appendedAt }: WrittenFields,
  task: string,
  latest: SpawnWork | undefined,
): { spawn: string | null; warnings: string[] } | { reason: string } => {
  // A line that CLEO wrote contains the time at which it was appended. If that time is before the spawn was made,
  // the line came from another database, for example by `git pull`. Such a line belongs to no spawn here.
  const isOlder = latest && typeof appendedAt === 'string' && Date.parse(appendedAt) < latest.at
  const spawn = isOlder ? null : (latest?.id ?? null)
  const older = isOlder
    ? [`was appended before ${latest.id} was spawned, so it is not the work of that spawn`]
    : []
  const claimed = typeof claim === 'string' ? canonicalSpawnId(claim) : undefined
  const parsed = claimed && parseSpawnId(claimed)
  if (!parsed || (isOlder && claimed === latest.id)) return { spawn, warnings: older }
  if (parsed.task !== task) return { reason: `spawnId: ${claimed} does not work on ${task}` }
  if (parsed.attempt >= 1 && parsed.attempt <= (latest?.attempt ?? 0)) return { spawn: claimed, warnings: [] }
  return { spawn, warnings: [...older, `there is no spawn ${claimed}`] }
}

const withoutUnknownTasks = (entry: Entry, known: ReadonlyMap<string, TaskRow>) => {
  const linked = entry.linked_tasks ?? []
  const unknown = linked.filter((id) => !known.has(id))
  return {
    kept: unknown.length > 0 ? { linked_tasks: linked.filter((id) => known.has(id)) } : {},
    warnings: unknown.map((id) => `linked_tasks: there is no task ${id}; left out`),
  }
}
