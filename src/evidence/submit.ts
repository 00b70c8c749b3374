import * as v from 'valibot'
import * as spawns from '../claims/sql/spawns.ts'
import { fail, ok, type Problem, type Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { closed } from '../kernel/task.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { describe, text } from '../kernel/text.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { integration } from '../worktrees/sql.ts'
import { type Atom, atomLimits, parseAtoms } from './atoms.ts'
import { readEvidence } from './evidence.ts'
import { type EvidenceFolder, evidenceFolderFor } from './evidence-folder.ts'
import { criterionProblems, gateProblems } from './gate-rules.ts'
import { type Finishing, observeAtoms } from './observe-atoms.ts'
import { atomTexts, canBeRechecked, type Observations } from './observed-atom.ts'
import { recordEvidence, replacedRefusal, type Subject, subjectName } from './record-evidence.ts'
import { termsOf } from './spawn-terms.ts'
import * as evidence from './sql.ts'
import { verifyLine } from './verify-line.ts'

export const submitCodes = [
  'task.not_found',
  'task.status',
  'claim.held',
  'evidence.invalid',
  'task.changed',
] as const
export type SubmitCode = (typeof submitCodes)[number]

export const EvidenceText = describe(
  text(atomLimits.characters),
  'one or more of these, with semicolons between them: commit:<sha>; files:a,b; tool:test|lint|build|typecheck|audit; test-run:<report>; url:<https…>; note:<text>',
)

export const submittedShape = () => ({
  /** `na` if the gate does not apply, because the project has no tool that could prove it. */
  state: v.picklist(['passed', 'failed', 'na']),
  /** What CLEO observed. */
  evidence: v.array(v.string()),
  /** The folder in which the evidence was observed. */
  worktree: v.optional(v.string()),
  /** The commit that was checked out. */
  head: v.optional(v.string()),
  /** Hash of the files that were checked. */
  tree: v.optional(v.string()),
})

export interface SubmittedEvidence {
  state: 'passed' | 'failed' | 'na'
  evidence: string[]
  worktree?: string
  head?: string
  tree?: string
}

/** Also records failed evidence, because later refusals name the failures. */
export const submitEvidence = async (
  context: Context,
  subject: Subject,
  text: string,
): Promise<Result<SubmittedEvidence, SubmitCode>> => {
  const { atoms, problems } = parseAtoms(text)
  return submitAtoms(context, subject, atoms, {
    unreadable: problems,
    retry: retryLine(context, subject, text),
  })
}

export interface SubmitOptions {
  /** The command that the caller can run again once the problem is fixed. */
  retry: string
  /** Problems in the text of the evidence. */
  unreadable?: readonly Problem[]
  /** Set by `finish`, which gives all evidence of a task in one command. */
  finishing?: Finishing
}

export const submitAtoms = async (
  context: Context,
  subject: Subject,
  atoms: readonly Atom[],
  { retry, unreadable = [], finishing }: SubmitOptions,
): Promise<Result<SubmittedEvidence, SubmitCode>> => {
  const { id } = subject.task
  const what = subjectName(subject)
  const spawn = await spawns.latest(context.store, id)
  const { where, problems: wrongFolder } = await evidenceFolderFor(context, spawn)
  const rejected = unreadable.length > 0 ? [] : atomProblems(subject, atoms, termsNow(context, spawn, where))
  const invalid = [...wrongFolder, ...unreadable, ...rejected]
  if (invalid.length > 0) return fail('evidence.invalid', { what, problems: invalid })
  const rows = (await evidence.latestOf(context.store, id)).map(readEvidence)
  const { gate } = subject
  const observed = await observeAtoms(context, where, {
    task: id,
    gate,
    atoms,
    spawn,
    rows,
    retry,
    ...(finishing && { finishing }),
  })
  if (observed.problems.length > 0) {
    const { problems, questions } = observed
    const unlanded = await unlandedEpic(context, subject.task, where.folder)
    return fail('evidence.invalid', { what, problems, questions, ...(unlanded && { unlanded }) })
  }
  const state = observed.failed ? 'failed' : observed.isNa ? 'na' : 'passed'
  const origin = originOf(where, observed)
  const recorded = await context.write<Result<null, SubmitCode>>(async (tx) => {
    const refused = await replacedRefusal(tx, context, id, spawn)
    if (refused) return refused
    if (finishing) {
      const { status } = (await tasks.find(tx.db, id))!
      if (closed(status)) return fail('task.status', { id, status, verb: 'finish' })
      if (await isRecorded(tx, subject, { state, seen: finishing.seen, head: where.head })) return ok(null)
    }
    const reason = observed.failed ?? null
    await recordEvidence(tx, subject, {
      spawn: spawn?.id ?? null,
      state,
      atoms: observed.atoms,
      reason,
      ...origin,
    })
    return ok(null)
  })
  if (!recorded.ok) return recorded
  if (observed.failed) {
    const problems = [{ path: 'tool', message: observed.failed }]
    const fix = `${observed.todo ?? 'correct what failed'}, then: ${retry}`
    return fail('evidence.invalid', { what, problems, fix })
  }
  const shown = { state, evidence: observed.atoms.flatMap(atomTexts), ...origin } as const
  return ok(shown, { warnings: observed.warnings })
}

/**
 * Returns the epic of a task if the task has children whose work is not in `folder`. This is the case if `folder` is
 * the checkout and the epic has not landed yet.
 */
const unlandedEpic = async (
  { store, root: project }: Context,
  { children, root }: Pick<TaskRow, 'children' | 'root'>,
  folder: string,
): Promise<string | undefined> => {
  if (children === 0 || folder !== project) return undefined
  const branch = await integration(store, root)
  return branch && branch.tip !== branch.base ? root : undefined
}

/** Whether another process of the same agent recorded the same result while this command ran. */
const isRecorded = async (
  { db }: Write,
  { task, gate, criterion }: Subject,
  { state, seen, head }: { state: string; seen: number; head?: string },
): Promise<boolean> => {
  const newer = (await evidence.latestOf(db, task.id)).filter(({ seq }) => Number(seq) > seen)
  return newer.some(
    (row) =>
      row.gate === (gate ?? null) &&
      row.criterion === (criterion?.n ?? null) &&
      row.state === state &&
      (row.head ?? undefined) === head,
  )
}

const atomProblems = (
  { gate }: Subject,
  atoms: readonly Atom[],
  terms: { git: boolean; reports: boolean },
) => (gate ? gateProblems(gate, atoms, terms) : criterionProblems(atoms, terms))

/** Accepts test reports only if the configuration allowed them when the task was spawned and still allows them. */
const termsNow = (
  { config }: Context,
  spawn: spawns.SpawnRow | undefined,
  where: EvidenceFolder,
): { git: boolean; reports: boolean } => {
  const then = termsOf(spawn)
  return {
    git: then?.git || where.git !== undefined,
    reports: (then?.reports ?? true) && (config.gates?.reports ?? false),
  }
}

/** Empty if the evidence has only notes and URLs, because they do not depend on a folder. */
const originOf = ({ folder, head }: EvidenceFolder, { atoms, tree }: Observations) =>
  atoms.some(canBeRechecked) ? { worktree: folder, ...(head && { head }), ...(tree && { tree }) } : {}

const retryLine = ({ actor }: Context, { task, gate, criterion }: Subject, text: string): string =>
  verifyLine(
    { task: task.id, ...(actor.agent && parseSpawnId(actor.id) && { as: actor.id }) },
    gate ? `--gate ${gate}` : `--criterion ${criterion!.n}`,
    text,
  )

const stateTexts: Record<SubmittedEvidence['state'], string> = {
  passed: 'passed',
  failed: 'failed',
  na: 'does not apply: the project has no command for it',
}

export const drawSubmitted = (
  name: string,
  { state, evidence, worktree, head }: SubmittedEvidence,
  style: Style,
  texts: Partial<Record<SubmittedEvidence['state'], string>> = {},
): string[] => [
  `${state === 'passed' ? style.green('✓') : '–'} ${name} ${texts[state] ?? stateTexts[state]}`,
  ...evidence.map((each) => `  ${each}`),
  ...(worktree ? [style.dim(`  in ${worktree}${head ? ` at ${head.slice(0, 7)}` : ''}`)] : []),
]
