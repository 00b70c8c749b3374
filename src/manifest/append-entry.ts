import type { SpawnWork } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { parseEntryId } from '../kernel/entry-id.ts'
import { type Failure, type Fault, fail, failAll, type Problem, type Result } from '../kernel/result.ts'
import { slugOf } from '../kernel/slug.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import {
  inspectOutput,
  type OutputFile,
  outputName,
  outputsOf,
  relativeToManifest,
} from '../output/output-file.ts'
import { agentTypeOf, protocolOf } from '../output/task-protocol.ts'
import { type WorkFolders, workFolder, workFoldersIn } from '../output/work-folders.ts'
import type { TaskRow } from '../store/rows.ts'
import { heldForAgents } from '../tasks/own-work.ts'
import * as search from '../tasks/sql/search.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Entry, readEntry } from './entry.ts'
import { ingest } from './ingest.ts'
import type { WrittenFields } from './parse-object.ts'
import * as entries from './sql/entries.ts'
import { type AppendedEntry, storeEntry } from './store-entry.ts'

export const appendCodes = [
  'input.invalid',
  'task.not_found',
  'entry.foreign',
  'claim.held',
  'entry.twice',
  'entry.taken',
  'entry.not_found',
  'output.absent',
  'output.invalid',
  'output.unfilled',
  'output.several',
] as const
type AppendCode = (typeof appendCodes)[number]

export interface AppendOptions {
  /**
   * Set by `finish`, so that the entry replaces the earlier entry of the spawn. CLEO links the entry to its own task
   * and to the tasks in `linked_tasks`, and writes the status of the entry into the output file.
   */
  isFinal?: true
}

/**
 * Submits an entry: checks the entry and its output file, stores the entry, and appends its line to the manifest of
 * the work folder.
 */
export const appendEntry = async (
  context: Context,
  fields: WrittenFields,
  namedTask: string | undefined,
  { isFinal }: AppendOptions = {},
): Promise<Result<AppendedEntry, AppendCode>> => {
  const owner = await ownerOf(context, namedTask, fields)
  if ('ok' in owner) return owner
  const { task, spawn } = owner
  const options = optionsOf(spawn)
  const folders = workFoldersIn(context, await workFolder(context, options), options)
  // The agent may have written a manifest line by hand. That line counts as an entry too, so ingest it first.
  const { warnings } = await ingest(context, folders.storedWork === '' ? [] : [folders.work])
  const revised = await withRevised(context, task.id, fields)
  const judged = await judgeEntry(context, folders, owner, revised)
  const { entry, path, sha256, faults } = judged
  if (isNotEmpty(faults)) return failAll(faults)
  if (isFinal) {
    const { writeStatus } = await import('../output/template.ts')
    await writeStatus(context, folders, {
      path: path!,
      status: entry.status,
      protocol: protocolOf(task, spawn),
    })
  }
  // Hash the file again, because `writeStatus` may have changed it.
  const settled = isFinal && (await inspectOutput(context, folders, entry.file)).sha256
  const stored = await storeEntry(context, folders, entry, {
    task: task.id,
    spawn: spawn?.id ?? null,
    sha256: settled || sha256!,
    isOwn: context.actor.id === spawn?.id,
    ...(isFinal && { isFinal }),
    derived: ['id', 'date', 'revises'].filter((key) => fields[key] == null),
  })
  const all = [...warnings, ...judged.warnings, ...(stored.warnings ?? [])]
  return stored.ok ? { ...stored, warnings: all } : stored
}

/**
 * If the entry revises an earlier entry, missing fields are copied from the earlier entry. But if the status changes,
 * follow-ups and blocker are not copied.
 */
const withRevised = async (
  { store }: Context,
  task: string,
  fields: WrittenFields,
): Promise<WrittenFields> => {
  const id = typeof fields['revises'] === 'string' ? parseEntryId(fields['revises'].trim())?.id : undefined
  const revised = id === undefined ? undefined : await entries.find(store, id)
  if (revised?.task !== task) return fields
  const { id: _id, date: _date, revises: _revises, ...rest } = JSON.parse(revised.body) as WrittenFields
  const { needs_followup: _open, blocker: _blocker, ...lasting } = rest
  const isSame = fields['status'] == null || fields['status'] === revised.status
  return { ...(isSame ? rest : lasting), ...fields }
}

const isNotEmpty = <T>(items: T[]): items is [T, ...T[]] => items.length > 0

interface Owner {
  task: TaskRow
  /** The task's latest spawn; missing if the task was never spawned. */
  spawn?: SpawnWork
  faults: Fault<'entry.foreign' | 'input.invalid'>[]
}

/**
 * If a call names neither a task nor a spawn, it is refused. The refusal lists at most this many spawns that could have
 * made the call.
 */
const mostNamed = 8

/**
 * Finds the task that the entry belongs to. Looks in this order: at the submitting spawn, at the flag `--task`, at the
 * entry's id, and at the name of the output file.
 */
const ownerOf = async (
  context: Context,
  named: string | undefined,
  { id, file }: WrittenFields,
): Promise<Owner | Failure<'input.invalid' | 'task.not_found' | 'claim.held'>> => {
  const { actor, store } = context
  const own = parseSpawnId(actor.id)?.task
  const byId = typeof id === 'string' ? parseEntryId(id.trim())?.task : undefined
  const owner = own ?? named ?? byId ?? taskOfFile(file)
  if (!owner) {
    const message = 'is missing: name it with --task, or your spawn with --as'
    const failure = fail('input.invalid', { problems: [{ path: 'task', message }] })
    const mayBe = (await search.busy(store)).flatMap(({ spawn }) => spawn ?? []).slice(0, mostNamed)
    if (mayBe.length === 0) return failure
    return { ...failure, alternatives: mayBe.map((id) => `If you are ${id}, add --as ${id}.`) }
  }
  const task = await tasks.find(store, owner)
  if (!task) return fail('task.not_found', { id: owner })
  const held = await heldForAgents(context, store, task)
  if (held) return held
  const faults: Owner['faults'] = []
  for (const [path, other] of Object.entries({ task: named, id: byId })) {
    if (other === undefined || other === owner) continue
    const problems = [{ path, message: `belongs to ${other}, not to ${owner}` }]
    const failure = own
      ? fail('entry.foreign', { actor: actor.id, id: other })
      : fail('input.invalid', { problems })
    faults.push({ path, failure })
  }
  return { task, spawn: (await spawns.latestWork(store, [owner])).get(owner), faults }
}

const taskOfFile = (file: unknown): string | undefined =>
  typeof file === 'string' ? parseEntryId(file.slice(file.lastIndexOf('/') + 1))?.task : undefined

interface JudgedEntry {
  entry: Entry
  /** The path of the output file. */
  path?: string
  sha256?: string
  warnings: string[]
  faults: Fault<AppendCode>[]
}

/**
 * Collects everything that is wrong with an entry and its output file. Conflicts with stored entries are checked
 * later, in the transaction that stores the entry.
 */
const judgeEntry = async (
  context: Context,
  folders: WorkFolders,
  { task, spawn, faults: ownerFaults }: Owner,
  fields: WrittenFields,
): Promise<JudgedEntry> => {
  const outputs = fields['file'] == null ? await outputsOf(context, folders, task) : []
  const usual = `${folders.output}/${outputName(task)}`
  const title = typeof fields['title'] === 'string' ? fields['title'] : task.title
  const { entry, problems, warnings } = readEntry(fields, {
    defaults: {
      id: `${task.id}-${slugOf(title)}`,
      file: relativeToManifest(folders, outputs[0] ?? usual),
      title: task.title,
      date: iso(await context.store.now()).slice(0, 10),
      agent_type: agentTypeOf(task, spawn),
    },
    lenient: false,
    research: spawn?.protocol === 'research' || fields['agent_type'] === 'research',
  })
  const faults: Fault<AppendCode>[] = [...ownerFaults]
  if (problems.length > 0) {
    const withFixes = problems.map((problem) => ({
      ...problem,
      ...fixFor(problem, context.actor.id, task.id),
    }))
    faults.push({ path: '', failure: fail('input.invalid', { problems: withFixes }) })
  }
  if (outputs.length > 1) {
    const files = outputs.map((path) => relativeToManifest(folders, path))
    faults.push({ path: 'file', failure: fail('output.several', { task: task.id, files }) })
  }
  for (const id of entry.linked_tasks ?? [])
    if (!(await tasks.find(context.store, id)))
      faults.push({ path: 'linked_tasks', failure: fail('task.not_found', { id }) })
  if (entry.file === '') return { entry, warnings, faults }
  const file = await inspectOutput(context, folders, entry.file)
  const named = fields['file'] == null ? {} : { named: entry.file }
  if (file.why)
    faults.push({ path: 'file', failure: invalidOutput(file, context, folders, { task: task.id, ...named }) })
  else if (file.unfilled && entry.status !== 'blocked') {
    const { path, unfilled: why } = file
    faults.push({ path: 'file', failure: fail('output.unfilled', { path, task: task.id, why, ...named }) })
  }
  return { entry: { ...entry, file: file.file }, path: file.path, sha256: file.sha256, warnings, faults }
}

const invalidOutput = (
  { path, why, missing, outside }: OutputFile,
  { actor, config }: Context,
  { work }: WorkFolders,
  asked: { task: string; named?: string },
) => {
  const as = parseSpawnId(actor.id) && { as: actor.id }
  if (missing) return fail('output.absent', { path, ...asked, ...as })
  const folder = path.slice(0, path.lastIndexOf('/'))
  const isBelowWork = outside && folder.startsWith(`${work}/`)
  const roots = isBelowWork ? [...(config.output?.roots ?? []), folder.slice(work.length + 1)] : undefined
  return fail('output.invalid', { path, why: why!, ...(roots && { roots }) })
}

const findingFlag = '--finding "<one sentence>"'
const blockedFlags = '--status blocked --blocker "missing context" --text "<why>"'
const flagsFor: Record<string, string> = {
  status: `--status complete ${findingFlag}`,
  key_findings: `--status complete ${findingFlag} ${findingFlag} ${findingFlag}`,
  needs_followup: '--status partial --followup "<what is left>"',
  'blocker.category': blockedFlags,
  'blocker.text': blockedFlags,
}

const fixFor = ({ path }: Problem, actor: string, task: string): Pick<Problem, 'fix'> => {
  const flags = flagsFor[path]
  const who = parseSpawnId(actor) ? `--as ${actor}` : `--task ${task}`
  return flags ? { fix: `cleo manifest append ${flags} ${who}` } : {}
}
