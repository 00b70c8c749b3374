import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { asFlag } from '../evidence/verify-line.ts'
import { type Failure, type Problem, problemsOf } from '../kernel/result.ts'
import { appendEntry } from '../manifest/append-entry.ts'
import type { EntryStatus } from '../manifest/entry.ts'
import { ingest } from '../manifest/ingest.ts'
import type { WrittenFields } from '../manifest/parse-object.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { AppendedEntry } from '../manifest/store-entry.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { MissingRequirement } from '../standing/missing-requirements.ts'
import type { TaskRow } from '../store/rows.ts'

export interface WorkReport {
  status?: EntryStatus
  finding?: readonly string[]
  open?: readonly string[]
  category?: string
  why?: string
  alternative?: readonly string[]
  noTests?: string
  tag?: string
  warning?: readonly string[]
  topic?: readonly string[]
  link?: readonly string[]
  file?: string
}

export interface SubmittedWork {
  entry?: AppendedEntry
  problems: MissingRequirement[]
  warnings: readonly string[]
}

/**
 * Submits the entry of a task, or revises the spawn's earlier entry. Fields that the caller leaves out keep the values
 * of the earlier entry. If the caller reports nothing, the earlier entry is not changed.
 */
export const submitWork = async (
  context: Context,
  task: TaskRow,
  spawn: SpawnRow | undefined,
  report: WorkReport,
): Promise<SubmittedWork | Failure<'entry.foreign'>> => {
  const work = await workFolder(context, optionsOf(spawn))
  const { warnings } = await ingest(context, work === context.root ? [] : [work])
  const earlier = spawn && (await entries.ofSpawn(context.store, spawn.id))
  const before = earlier && (JSON.parse(earlier.body) as WrittenFields)
  const said = Object.entries(report).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const isRepeated = earlier?.status === report.status && said.every((name) => name === 'status')
  const isSilent = said.length === 0 || isRepeated
  // A task that was never spawned needs no entry.
  if (isSilent && !spawn) return { problems: [], warnings }
  const fields = fieldsOf(report, isSilent ? (earlier?.status ?? 'complete') : undefined, before)
  const isResearch = spawn?.protocol === 'research'
  // If a complete entry has no findings, add an empty finding. The check of the entry then reports the missing finding
  // together with all other problems.
  if (fields['status'] === 'complete' && !hasFindings(fields) && !isResearch) fields['key_findings'] = ['']
  const appended = await appendEntry(context, fields, task.id, { isFinal: true })
  if (appended.ok)
    return { entry: appended.value, problems: [], warnings: [...warnings, ...(appended.warnings ?? [])] }
  if (appended.code === 'entry.foreign') return { ...appended, code: appended.code }
  if (isSilent && earlier && problemsOf([{ path: '', failure: appended }]).every(isOfLine(appended)))
    return { problems: [], warnings }
  const line = `cleo finish ${task.id}${asFlag(context.actor)}`
  const unfilled =
    fields['file'] == null ? `${line}${flagsOf(report)} --summary "<what was done>"` : undefined
  return { problems: problemsIn(appended, line, unfilled), warnings }
}

/**
 * Returns a function that tells whether a problem can occur only in an entry that was appended by hand. There are two
 * such problems:
 * - The spawn has a worktree, but the entry names a file in the checkout.
 * - The blocker of the entry has no category.
 *
 * If an entry has only such problems and the caller reports nothing new, `finish` keeps the entry. In that case the
 * contract decides whether the entry is enough.
 */
const isOfLine =
  ({ code }: Failure) =>
  (problem: Problem): boolean =>
    (problem.code ?? code) === 'output.absent' || problem.path === 'blocker.category'

/** Fields that CLEO sets, not the caller. */
const derived = ['id', 'date', 'revises', 'spawnId', 'sha256', 'appendedAt']

const fieldsOf = (
  report: WorkReport,
  kept: EntryStatus | undefined,
  before: WrittenFields = {},
): WrittenFields => {
  const status = report.status ?? kept ?? 'complete'
  // If the status changes, leave out follow-ups and blockers, because they explain the old status.
  const dropped = before['status'] === status ? derived : [...derived, 'needs_followup', 'blocker']
  const { category, why: text, alternative: alternatives } = report
  const isBlocked = category !== undefined || text !== undefined || alternatives !== undefined
  const given: WrittenFields = {
    key_findings: report.finding,
    needs_followup: report.open,
    warnings: report.warning,
    topics: report.topic,
    linked_tasks: report.link,
    file: report.file,
    no_tests: report.noTests,
    tag: report.tag,
    ...(isBlocked && { blocker: { category, text, ...(alternatives && { alternatives }) } }),
  }
  const earlier = Object.entries(before).filter(([key]) => !dropped.includes(key))
  const own = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries([...earlier, ...own]), status }
}

const hasFindings = ({ key_findings }: WrittenFields): boolean =>
  Array.isArray(key_findings) && key_findings.length > 0

const finding = '--finding "<one sentence>"'
const blocked = '--status blocked --category "missing context" --why "<why>"'
const flagsFor: Readonly<Record<string, string>> = {
  key_findings: `${finding} ${finding} ${finding}`,
  needs_followup: '--status partial --open "<what is left>"',
  'blocker.category': blocked,
  'blocker.text': blocked,
}
/** Parts of messages of `manifest append`, each with the text that replaces it in messages of `finish`. */
const names: readonly [string, string][] = [
  ['(--followup)', '(--open)'],
  [' (--blocker)', ''],
]

/** A suggested command must repeat the flags of the caller, because CLEO stores nothing of a refused entry. */
const flagsOf = (report: WorkReport): string =>
  Object.entries(report)
    .flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((each) => [name, each])))
    .map(([name, value]) => ` --${name!.replace('noTests', 'no-tests')} ${shellQuote(String(value))}`)
    .join('')

/**
 * Turns the refusal of an entry into missing requirements. If CLEO made the output file and nobody has filled it in,
 * the fix is `unfilled`: a command that fills in the file.
 */
const problemsIn = (failure: Failure, line: string, unfilled: string | undefined): MissingRequirement[] =>
  problemsOf([{ path: '', failure }]).map((problem) => {
    const isOutput = problem.code?.startsWith('output.') ?? failure.code.startsWith('output.')
    const isUnfilled = (problem.code ?? failure.code) === 'output.unfilled'
    const fix = isUnfilled && unfilled ? { fix: unfilled } : {}
    return isOutput
      ? { ...problem, ...fix, code: 'output.missing', path: 'output file' }
      : { ...entryProblem(problem, line), code: 'manifest.missing', path: 'manifest entry' }
  })

const entryProblem = (problem: Problem, line: string): Pick<MissingRequirement, 'message' | 'fix'> => {
  const { path, fix } = problem
  let { message } = problem
  for (const [theirs, ours] of names) message = message.replace(theirs, ours)
  const [field = '', index] = path.split('.')
  if (field === 'key_findings' && index !== undefined) {
    const isNone = message === 'is empty'
    return {
      message: isNone
        ? 'a finding is missing: say what the next agent needs to know'
        : `finding ${Number(index) + 1} ${message}`,
      fix: `${line} ${finding}`,
    }
  }
  const flags = flagsFor[path]
  const flag = { 'blocker.text': '--why ', 'blocker.category': '--category ' }[path] ?? ''
  if (flags) return { message: `${flag}${message}`, fix: `${line} ${flags}` }
  return { message: path === '' ? message : `${path} ${message}`, ...(fix && { fix }) }
}
