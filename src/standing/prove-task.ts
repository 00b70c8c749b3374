import type { SpawnRow } from '../claims/sql/spawns.ts'
import { type Atom, atomLimits, parseAtoms } from '../evidence/atoms.ts'
import { filesMadeByRuns, readEvidence } from '../evidence/evidence.ts'
import {
  type EvidenceFolder,
  evidenceFolderFor,
  relativeToFolder,
  toTop,
} from '../evidence/evidence-folder.ts'
import type { Finishing } from '../evidence/observe-atoms.ts'
import type { ObservedAtom, ObservedTool } from '../evidence/observed-atom.ts'
import { type Subject, subjectName } from '../evidence/record-evidence.ts'
import { pinsOf, termsOf } from '../evidence/spawn-terms.ts'
import * as evidence from '../evidence/sql.ts'
import { type SubmitCode, submitAtoms } from '../evidence/submit.ts'
import type { Tool } from '../kernel/config-words.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import { type Gate, toolsFor } from '../kernel/protocol.ts'
import { type Failure, fail, type Problem } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { isHeld, isMet } from './missing-requirements.ts'
import type { Standing } from './standing.ts'

export interface TaskToProve {
  task: TaskRow
  spawn?: SpawnRow
  /** The standing of the task when the command started. */
  standing: Standing
  /** The evidence that the caller gives for criteria. */
  criteria: readonly { n: number; text: string }[]
  /** The command to run again after a refusal. */
  retry: string
  /** The command with which the agent explains, in its entry, why it changed no declared file. */
  reasonLine: string
  /** Gates that are proved later, by the run that drives the agent. */
  later?: ReadonlySet<Gate>
}

export interface Proof {
  /** The name of the gate or criterion, spelled as in a refusal. */
  path: string
  /** Undefined if the evidence was accepted. */
  failure?: Failure<'evidence.invalid' | 'criterion.not_found'>
  warnings: readonly string[]
}

export interface ProvedTask {
  proofs: Proof[]
  ranTools: boolean
  /**
   * The refused proof of the gate `implemented`. Set only if the spawn has changed no file yet. In that case every gate
   * that needs a tool gets the same refusal, and no tool runs.
   */
  withoutWork?: Proof
  /** Set if another agent took, changed or closed the task meanwhile, so that no more evidence can be given. */
  stopped?: Failure<Exclude<SubmitCode, 'evidence.invalid'>>
}

/**
 * Gives evidence for every required gate that does not hold yet, and for the criteria that the caller names. Evidence
 * that still holds is kept, and its tools are not run again.
 */
export const proveTask = async (context: Context, proving: TaskToProve): Promise<ProvedTask> => {
  const { spawn, standing } = proving
  const { where } = await evidenceFolderFor(context, spawn)
  const proved: ProvedTask = { proofs: [], ranTools: false }
  for (const each of standing.gates) {
    if (!each.required || isHeld(each) || proving.later?.has(each.gate) || proved.stopped) continue
    // Run no tool before there is work, because the result of the tool would be stale after the next commit.
    if (proved.withoutWork && toolsFor[each.gate]) {
      proved.proofs.push({ ...proved.withoutWork, path: each.gate })
      continue
    }
    const found = await atomsFor(context, where, each.gate, proving)
    if (found) await give(context, proving, { gate: each.gate, ...found, runs: new Map() }, proved)
  }
  if (proving.criteria.length === 0 || proved.stopped) return proved
  const runs = await freshRuns(context, where, proving)
  const rows = await evidence.latestOf(context.store, proving.task.id)
  for (const { n, text } of proving.criteria) {
    const known = standing.criteria.find((each) => each.n === n)
    if (!known) {
      const failure = fail('criterion.not_found', { id: standing.task, n, count: standing.criteria.length })
      proved.proofs.push({ path: `criterion ${n}`, failure, warnings: [] })
      continue
    }
    const { atoms, problems } = parseAtoms(text)
    const before = rows.find(({ criterion }) => Number(criterion) === n)
    if (known.state === 'waived' || (isMet(known) && before && isSameEvidence(atoms, before))) continue
    const criterion = { n, text: known.text }
    if (!proved.stopped)
      await give(context, proving, { criterion, atoms, unreadable: problems, runs }, proved)
  }
  return proved
}

interface EvidenceToGive extends Omit<Subject, 'task'>, AtomsToGive {
  unreadable?: readonly Problem[]
  runs: Finishing['runs']
}

const give = async (
  context: Context,
  { task, standing, retry, reasonLine }: TaskToProve,
  { atoms, unreadable, runs, history, ...about }: EvidenceToGive,
  proved: ProvedTask,
): Promise<void> => {
  const subject = { task, ...about }
  const seen = Number(standing.readFrom.evidence)
  const finishing = { seen, runs, reasonLine, ...(history && { history }) }
  const submitted = await submitAtoms(context, subject, atoms, {
    retry,
    finishing,
    ...(unreadable && { unreadable }),
  })
  const { warnings = [] } = submitted
  const path = subjectName(subject)
  proved.ranTools ||= atoms.some((atom) => atom.kind === 'tool' && !runs.has(atom.tool))
  if (submitted.ok) proved.proofs.push({ path, warnings })
  else if (submitted.code === 'evidence.invalid')
    proved.proofs.push({ path, failure: { ...submitted, code: submitted.code }, warnings })
  else proved.stopped = { ...submitted, code: submitted.code }
  const isWithoutWork = about.gate === 'implemented' && !atoms.some(hasFiles)
  if (isWithoutWork && proved.proofs.at(-1)?.failure) proved.withoutWork = proved.proofs.at(-1)
}

const hasFiles = (atom: Atom): boolean => atom.kind === 'files' && atom.paths.length > 0

interface AtomsToGive {
  atoms: readonly Atom[]
  history?: Finishing['history']
}

/** Undefined if only the agent can give the evidence. */
const atomsFor = async (
  context: Context,
  where: EvidenceFolder,
  gate: Gate,
  { spawn, standing: { file } }: TaskToProve,
): Promise<AtomsToGive | undefined> => {
  switch (gate) {
    case 'implemented':
      return changedWork(context, where, spawn)
    case 'documented': {
      if (!file || file.state === 'missing') return undefined
      return { atoms: [{ kind: 'files', paths: [relativeToFolder(where, file.path)] }] }
    }
    case 'cleanupDone':
      return undefined
    default: {
      const tool = await availableTool(context, where, toolsFor[gate]!, spawn)
      return tool || gate !== 'securityPassed'
        ? { atoms: [{ kind: 'tool', tool: tool ?? toolsFor[gate]![0]! }] }
        : undefined
    }
  }
}

const availableTool = async (
  context: Context,
  { folder }: EvidenceFolder,
  tools: readonly Tool[],
  spawn: SpawnRow | undefined,
): Promise<Tool | undefined> => {
  const { allowedCommands } = await import('../project-commands/allowed-command.ts')
  const allowed = await allowedCommands(context, folder, pinsOf(spawn))
  return tools.find((tool) => allowed(tool).state !== 'none')
}

/** Declared files come before the other changed files. */
const changedWork = async (
  context: Context,
  where: EvidenceFolder,
  spawn: SpawnRow | undefined,
): Promise<AtomsToGive> => {
  const terms = termsOf(spawn)
  const commit: Atom[] = terms?.git || where.git ? [{ kind: 'commit', ref: 'HEAD' }] : []
  const declared = terms?.files ?? []
  const isDeclared = pathMatcher(declared)
  const plain = declared.filter((path) => !/[*?]/.test(path))
  const { historyOf } = await import('../evidence/spawn-history.ts')
  const history = where.git && (await historyOf(context, where, spawn?.task ?? ''))
  const changed = history || !spawn ? undefined : await changedWithoutGit(context, where)
  const { changedFiles } = await import('../evidence/work-rule.ts')
  const { hashInside } = await import('../host/safe-read.ts')
  // Skip a file that exists but is no longer in git. For example, the spawn committed a compiled file, and a later
  // commit removed this file from git.
  const tracked = history && history.own.length > 1 ? await trackedIn(context, where) : undefined
  const isUsable = (path: string) => {
    const hashed = hashInside(where.folder, path)
    return hashed.ok ? (tracked?.has(toTop(where, path)) ?? true) : hashed.missing
  }
  const all = (history ? changedFiles(where, [], history) : changed) ?? plain
  const own = all.filter(isDeclared)
  // Without git, a changed file that the task does not declare can come from any program. Use such files only if no
  // declared file changed.
  const wanted = history || own.length === 0 ? [...own, ...all.filter((path) => !isDeclared(path))] : own
  const paths = wanted.filter(isUsable).slice(0, atomLimits.files)
  return { atoms: [...commit, { kind: 'files', paths }], ...(history && { history }) }
}

/** Paths are relative to the top folder of the repository. Undefined if the index cannot be read. */
const trackedIn = async ({ host }: Context, { top }: EvidenceFolder): Promise<Set<string> | undefined> => {
  const { indexOf } = await import('../git/git-folder.ts')
  const { filesInIndex } = await import('../git/index-file.ts')
  const index = top === undefined ? undefined : await indexOf(host, top)
  const files = index === undefined ? undefined : filesInIndex(index)
  return files && new Set(files.map(({ path }) => path))
}

const changedWithoutGit = async (context: Context, where: EvidenceFolder): Promise<string[]> => {
  const { pathsIn } = await import('../host/work-tree.ts')
  const { hasChanged } = await import('../evidence/files-before.ts')
  const ran = await evidence.runsIn(context.store, where.folder)
  const made = new Set(
    filesMadeByRuns(ran.map(({ atoms }) => ({ atoms: JSON.parse(atoms) as ObservedAtom[] }))),
  )
  const found: string[] = []
  for (const path of pathsIn(where.folder, where.isOutside)) {
    if (!made.has(path) && hasChanged(where, path)) found.push(path)
    if (found.length >= atomLimits.files) break
  }
  return found
}

const freshRuns = async (
  { store }: Context,
  { head }: EvidenceFolder,
  { task, spawn, standing: { stale } }: TaskToProve,
): Promise<Map<Tool, ObservedTool>> => {
  const rows = (await evidence.latestOf(store, task.id)).map(readEvidence)
  const fresh = rows.filter(
    (row) =>
      row.state === 'passed' &&
      row.spawn === (spawn?.id ?? null) &&
      (row.head ?? undefined) === head &&
      !stale.has(row.seq),
  )
  const runs = fresh.flatMap(({ atoms }) => atoms.filter((atom) => atom.kind === 'tool'))
  return new Map(runs.map((run) => [run.tool, run]))
}

const isSameEvidence = (atoms: readonly Atom[], before: evidence.EvidenceRow): boolean =>
  sorted(atoms) === sorted(readEvidence(before).atoms)

const sorted = (atoms: readonly (Atom | ObservedAtom)[]): string => atoms.flatMap(keyOf).toSorted().join('\n')

/** The keys contain only what the caller wrote, not what CLEO observed. */
const keyOf = (atom: Atom | ObservedAtom): string[] => {
  switch (atom.kind) {
    case 'commit':
      return [`commit ${atom.ref}`]
    case 'files':
      return ('paths' in atom ? atom.paths : atom.files.map(({ path }) => path)).map((path) => `file ${path}`)
    case 'tool':
      return [`tool ${atom.tool}`]
    case 'test-run':
      return [`report ${atom.path}`]
    case 'url':
      return [`url ${atom.url}`]
    case 'note':
      return [`note ${atom.text}`]
    default:
      return []
  }
}
