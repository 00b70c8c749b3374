import type { SpawnWork } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { parseEntryId } from '../kernel/entry-id.ts'
import { problemSentence } from '../kernel/refusals/refusal.ts'
import { canonicalSpawnId, parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import { agentTypeOf } from '../output/agent-type.ts'
import { lookAtOutput, outputName, outputsOf, relativeToManifest } from '../output/output-file.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Entry, readEntry } from './entry.ts'
import type { Fields } from './pieces.ts'
import type { Line } from './read-on.ts'

/** A line that could become an entry, as far as can be said without a look at the other entries. */
export interface Candidate {
  line: Line
  entry: Entry
  task: string
  spawn: string | null
  /** Of the output file; null where there is none. */
  sha256: string | null
  warnings: string[]
}

export interface RefusedLine {
  line: Line
  reason: string
}

/** Everything is looked up and looked at here, before the transaction that keeps it. */
export const candidatesFor = async (
  context: Context,
  folders: WorkFolders,
  lines: readonly Line[],
): Promise<(Candidate | RefusedLine)[]> => {
  const named = lines.map(({ fields }) => (fields ? namedBy(fields) : undefined))
  const linked = lines.flatMap(({ fields }) => strings(fields?.['linked_tasks']))
  const owners = [...new Set(named.flatMap((name) => (name ? [name.task] : [])))]
  const known = await tasks.findMany(context.store, [...new Set([...owners, ...linked])])
  const latest = await spawns.latestWork(context.store, owners)
  const now = await context.store.now()
  const out: (Candidate | RefusedLine)[] = []
  for (const [i, line] of lines.entries()) {
    const { fields, reason } = line
    const name = named[i]
    const task = name && known.get(name.task)
    if (!fields) out.push({ line, reason: reason! })
    else if (!name) out.push({ line, reason: 'id: is missing, or is not "T012-slug"' })
    else if (!task) out.push({ line, reason: `id: there is no task ${name.task}` })
    else {
      const about = { id: name.id, task, latest: latest.get(task.id), known, now }
      out.push(await candidate(context, folders, line, fields, about))
    }
  }
  return out
}

/** The id it has, or the one its file has by name. */
const namedBy = ({ id, file }: Fields): { id: string; task: string } | undefined => {
  if (id != null) return typeof id === 'string' ? parseEntryId(id.trim()) : undefined
  if (typeof file !== 'string') return undefined
  const name = file.slice(file.lastIndexOf('/') + 1)
  return parseEntryId(name.slice(0, name.lastIndexOf('.')))
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

interface About {
  id: string
  task: TaskRow
  latest?: SpawnWork
  known: ReadonlyMap<string, TaskRow>
  now: number
}

const candidate = async (
  context: Context,
  folders: WorkFolders,
  line: Line,
  fields: Fields,
  { id, task, latest, known, now }: About,
): Promise<Candidate | RefusedLine> => {
  const owner = ownerOf(fields['spawnId'], task.id, latest)
  if ('reason' in owner) return { line, reason: owner.reason }
  const own = latest ? workFoldersIn(context, folders.work, optionsOf(latest)) : folders
  const [output] = fields['file'] == null ? await outputsOf(context, own, task) : []
  const { entry, problems, warnings } = readEntry(fields, {
    derived: {
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
  const file = await lookAtOutput(context, own, entry.file)
  if (file.why && !file.missing) return { line, reason: `file: ${entry.file} ${file.why}` }
  const lacking = file.missing ? 'is not there' : file.unfilled && `is not filled in: ${file.unfilled}`
  const links = linksOf(entry, known)
  return {
    line,
    entry: { ...entry, file: file.file, ...links.kept },
    task: task.id,
    spawn: owner.spawn,
    sha256: file.sha256 ?? null,
    warnings: [
      ...owner.warnings,
      ...warnings,
      ...(lacking ? [`${entry.file} ${lacking}`] : []),
      ...links.warnings,
    ],
  }
}

/** Whose entry it is: the latest spawn's, unless it says that it is an earlier one's. What it says is only a claim. */
const ownerOf = (
  claim: unknown,
  task: string,
  latest: SpawnWork | undefined,
): { spawn: string | null; warnings: string[] } | { reason: string } => {
  const spawn = latest?.id ?? null
  const said = typeof claim === 'string' ? canonicalSpawnId(claim) : undefined
  const parsed = said && parseSpawnId(said)
  if (!parsed) return { spawn, warnings: [] }
  if (parsed.task !== task) return { reason: `spawnId: ${said} does not work on ${task}` }
  if (parsed.attempt >= 1 && parsed.attempt <= (latest?.attempt ?? 0)) return { spawn: said, warnings: [] }
  return { spawn, warnings: [`there is no spawn ${said}`] }
}

const linksOf = (entry: Entry, known: ReadonlyMap<string, TaskRow>) => {
  const linked = entry.linked_tasks ?? []
  const kept = linked.filter((id) => known.has(id))
  const lost = linked.filter((id) => !known.has(id))
  return {
    kept: lost.length > 0 ? { linked_tasks: kept } : {},
    warnings: lost.map((id) => `linked_tasks: there is no task ${id}; left out`),
  }
}
