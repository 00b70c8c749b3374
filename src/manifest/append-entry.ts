import type { SpawnWork } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { parseEntryId } from '../kernel/entry-id.ts'
import { type Failure, type Fault, fail, failAll, type Result } from '../kernel/result.ts'
import { slugOf } from '../kernel/slug.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import { agentTypeOf } from '../output/agent-type.ts'
import {
  lookAtOutput,
  type OutputFile,
  outputName,
  outputsOf,
  relativeToManifest,
} from '../output/output-file.ts'
import { type WorkFolders, workFolder, workFoldersIn } from '../output/work-folders.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { fixOf } from './append-fix.ts'
import { type Entry, readEntry } from './entry.ts'
import { fieldsOf, type GivenEntry } from './given.ts'
import { ingest } from './ingest.ts'
import { keepEntry } from './keep-entry.ts'
import type { Fields } from './pieces.ts'

export const appendCodes = [
  'input.invalid',
  'task.not_found',
  'entry.foreign',
  'entry.twice',
  'entry.taken',
  'entry.not_found',
  'output.absent',
  'output.invalid',
  'output.unfilled',
  'output.several',
] as const
type Code = (typeof appendCodes)[number]

export interface AppendedEntry {
  id: string
  task: string
  spawnId?: string
  status: Entry['status']
  file: string
  sha256: string
  noChange?: true
}

/** Takes an entry from the one who did the work: checked, kept, and written to the file of the folder it was done in. */
export const appendEntry = async (
  context: Context,
  given: GivenEntry,
): Promise<Result<AppendedEntry, Code>> => {
  const { fields, problems } = fieldsOf(given)
  if (problems.length > 0) return fail('input.invalid', { problems })
  const owner = await ownerOf(context, given.task, fields)
  if ('ok' in owner) return owner
  const { task, spawn } = owner
  const asked = optionsOf(spawn)
  const folders = workFoldersIn(context, await workFolder(context, asked), asked)
  // A line the agent has written by hand counts as well; it is looked at first.
  const { warnings } = await ingest(context, folders.storedWork === '' ? [] : [folders.work])
  const { entry, sha256, faults } = await judge(context, folders, owner, fields)
  if (isSome(faults)) return failAll(faults)
  const kept = await keepEntry(context, folders, entry, {
    task: task.id,
    spawn: spawn?.id ?? null,
    sha256: sha256!,
    own: context.actor.id === spawn?.id,
    derived: ['id', 'date', 'revises'].filter((key) => fields[key] == null),
  })
  return kept.ok ? { ...kept, warnings: [...warnings, ...(kept.warnings ?? [])] } : kept
}

const isSome = <T>(items: T[]): items is [T, ...T[]] => items.length > 0

interface Owner {
  task: TaskRow
  /** The latest one of the task. */
  spawn?: SpawnWork
  faults: Fault<'entry.foreign' | 'input.invalid'>[]
}

/** Whose work it is: the spawn's that hands it in, else that of the task that was named. */
const ownerOf = async (
  { actor, store }: Context,
  named: string | undefined,
  { id, file }: Fields,
): Promise<Owner | Failure<'input.invalid' | 'task.not_found'>> => {
  const own = parseSpawnId(actor.id)?.task
  const byId = typeof id === 'string' ? parseEntryId(id.trim())?.task : undefined
  const wanted = own ?? named ?? byId ?? taskOfFile(file)
  if (!wanted) {
    const message = 'is missing: name it with --task, or say who you are with --as'
    return fail('input.invalid', { problems: [{ path: 'task', message }] })
  }
  const task = await tasks.find(store, wanted)
  if (!task) return fail('task.not_found', { id: wanted })
  const faults: Owner['faults'] = []
  for (const [path, other] of Object.entries({ task: named, id: byId })) {
    if (other === undefined || other === wanted) continue
    const problems = [{ path, message: `belongs to ${other}, not to ${wanted}` }]
    const failure = own
      ? fail('entry.foreign', { actor: actor.id, id: other })
      : fail('input.invalid', { problems })
    faults.push({ path, failure })
  }
  return { task, spawn: (await spawns.latestWork(store, [wanted])).get(wanted), faults }
}

const taskOfFile = (file: unknown): string | undefined =>
  typeof file === 'string' ? parseEntryId(file.slice(file.lastIndexOf('/') + 1))?.task : undefined

interface Judged {
  entry: Entry
  sha256?: string
  faults: Fault<Code>[]
}

/** Everything that can be said of an entry by itself, and of its file. */
const judge = async (
  context: Context,
  folders: WorkFolders,
  { task, spawn, faults: before }: Owner,
  fields: Fields,
): Promise<Judged> => {
  const found = fields['file'] == null ? await outputsOf(context, folders, task) : []
  const usual = `${folders.output}/${outputName(task)}`
  const title = typeof fields['title'] === 'string' ? fields['title'] : task.title
  const { entry, problems } = readEntry(fields, {
    derived: {
      id: `${task.id}-${slugOf(title)}`,
      file: relativeToManifest(folders, found[0] ?? usual),
      title: task.title,
      date: iso(await context.store.now()).slice(0, 10),
      agent_type: agentTypeOf(task, spawn),
    },
    lenient: false,
    research: spawn?.protocol === 'research' || fields['agent_type'] === 'research',
  })
  const faults: Fault<Code>[] = [...before]
  if (problems.length > 0) {
    const told = problems.map((problem) => ({ ...problem, ...fixOf(problem, context.actor.id, task.id) }))
    faults.push({ path: '', failure: fail('input.invalid', { problems: told }) })
  }
  if (found.length > 1) {
    const files = found.map((path) => relativeToManifest(folders, path))
    faults.push({ path: 'file', failure: fail('output.several', { task: task.id, files }) })
  }
  for (const id of entry.linked_tasks ?? [])
    if (!(await tasks.find(context.store, id)))
      faults.push({ path: 'linked_tasks', failure: fail('task.not_found', { id }) })
  if (entry.file === '') return { entry, faults }
  const file = await lookAtOutput(context, folders, entry.file)
  if (file.why) faults.push({ path: 'file', failure: unfit(file, task.id, context.actor.id) })
  else if (file.unfilled && entry.status !== 'blocked') {
    const { path, unfilled: why } = file
    faults.push({ path: 'file', failure: fail('output.unfilled', { path, task: task.id, why }) })
  }
  return { entry: { ...entry, file: file.file }, sha256: file.sha256, faults }
}

const unfit = ({ path, why, missing }: OutputFile, task: string, actor: string) =>
  missing ? fail('output.absent', { path, task, actor }) : fail('output.invalid', { path, why: why! })
