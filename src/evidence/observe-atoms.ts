import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Tool } from '../kernel/config-words.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Context } from '../operation/context.ts'
import type { Atom } from './atoms.ts'
import type { Evidence } from './evidence.ts'
import { type EvidenceFolder, folderAtCommit, gitProblems } from './evidence-folder.ts'
import { commitsToKeep } from './kept-commits.ts'
import type { KeptCommits, Observations, ObservedTool } from './observed-atom.ts'
import type { SpawnHistory } from './spawn-history.ts'
import type { UncommittedWork } from './uncommitted-work.ts'

interface EvidenceToObserve {
  task: string
  gate?: Gate
  atoms: readonly Atom[]
  spawn?: SpawnRow
  /** The newest evidence for each gate and criterion of the task. */
  rows: readonly Evidence[]
  /** The command that gives the same evidence again. */
  retry: string
  /** Set by `finish`, which gives all evidence of a task in one command. */
  finishing?: Finishing
}

export interface Finishing {
  /** The number of the newest evidence row when `finish` listed what was missing. */
  seen: number
  /** Tool runs that still hold and need not be repeated. */
  runs: ReadonlyMap<Tool, ObservedTool>
  history?: SpawnHistory
  /** The command with which the agent explains, in its entry, why it changed no declared file. */
  reasonLine: string
}

/** Checks files, commits and reports. Then runs the tools, but only if no problem was found. */
export const observeAtoms = async (
  context: Context,
  where: EvidenceFolder,
  given: EvidenceToObserve,
): Promise<Observations> => {
  const observed: Observations = { atoms: [], problems: [], warnings: [], questions: [], isNa: false }
  const { atoms, gate, task, spawn, rows, finishing } = given
  const has = (kind: Atom['kind']) => atoms.some((atom) => atom.kind === kind)
  const isWork = gate === 'implemented'
  const needsGit = isWork || has('commit') || has('tool')
  const facts = needsGit && where.git ? await askGit(context, where, given) : {}
  if (has('files') || has('test-run')) await observeNamed(where, given, facts, observed)
  await observeCommits(where, atoms, facts, observed)
  if (needsGit) observed.problems.push(...gitProblems(where))
  if (isWork || has('commit')) await requireCommit(context, where, given, facts, observed)
  if (isWork) {
    const { requireWork } = await import('./work-rule.ts')
    const files = observed.atoms.flatMap((atom) => (atom.kind === 'files' ? atom.files : []))
    const named = files.map(({ path }) => path)
    const { history, uncommitted } = facts
    const isOpen = uncommitted !== undefined && uncommitted.open.length > 0
    const { reasonLine } = finishing ?? {}
    await requireWork(context, where, { task, named, history, isOpen, reasonLine }, observed)
    await warnOfGenerated(where, history, observed)
  }
  if (facts.tree) observed.tree = facts.tree
  for (const atom of atoms) if (atom.kind === 'url' || atom.kind === 'note') observed.atoms.push(atom)
  const named = atoms.flatMap((atom) => (atom.kind === 'tool' ? [atom.tool] : []))
  for (const tool of named) observed.atoms.push(...[finishing?.runs.get(tool) ?? []].flat())
  const tools = named.filter((tool) => !finishing?.runs.has(tool))
  if (tools.length > 0) {
    const { runTools } = await import('./run-tools.ts')
    const before = facts.uncommitted?.state.files
    // Require a commit only when a tool is about to run. If the project has no command for the tool, nothing has to
    // be committed.
    const beforeRun = () => requireCommit(context, where, given, facts, observed)
    await runTools(context, where, { tools, task, gate, spawn, rows, beforeRun, before }, observed)
  }
  return observed
}

/** Generated files are, for example, compiled files in a project without `.gitignore`. */
const warnOfGenerated = async (
  { git, head, terms }: EvidenceFolder,
  history: SpawnHistory | undefined,
  { atoms, warnings }: Observations,
): Promise<void> => {
  const isDeclared = pathMatcher(terms?.files ?? [])
  const paths = history?.own.flatMap(({ files }) => files).filter((path) => !isDeclared(path)) ?? []
  if (!git || !head || paths.length === 0) return
  const { generatedBetween, generatedWarning } = await import('../git/generated-files.ts')
  const found = await generatedBetween(git, [...new Set(paths)], { from: terms?.began, to: head })
  if (found.length === 0) return
  const text = generatedWarning(found, 'before finish or after landing')
  atoms.push({ kind: 'warning', text })
  // Answers show the stored warnings of accepted evidence as `<gate>: <text>`. Use the same text here, so that an
  // answer can leave out the duplicate.
  warnings.push(`implemented: ${text}`)
}

/** Empty without git. */
interface GitFacts {
  tree?: string
  /** The commit of each ref; undefined if there is no such commit. */
  commits?: ReadonlyMap<string, string | undefined>
  history?: SpawnHistory
  kept?: KeptCommits
  uncommitted?: UncommittedWork
  /** True once `requireCommit` has run. */
  isChecked?: true
}

const askGit = async (
  context: Context,
  where: EvidenceFolder,
  { atoms, gate, task, rows, finishing }: EvidenceToObserve,
): Promise<GitFacts> => {
  const { historyOf, treeOf } = await import('./spawn-history.ts')
  const { uncommittedWork } = await import('./uncommitted-work.ts')
  const refs = atoms.flatMap((atom) => (atom.kind === 'commit' ? [atom.ref] : []))
  const [history, uncommitted] = await Promise.all([
    finishing?.history ?? historyOf(context, where, task),
    uncommittedWork(context, where, task, { rows, withStats: atoms.some(({ kind }) => kind === 'tool') }),
  ])
  const known = (ref: string) =>
    ref === 'HEAD' ? where.head : history?.commits.find(({ sha }) => sha === ref)?.sha
  // Ask git about commits that are not in the history. This needs one more process.
  const unknown = refs.filter((ref) => known(ref) === undefined)
  const [tree, ...named] = await treeOf(where, history, unknown)
  const found = new Map(unknown.map((ref, i) => [ref, named[i]]))
  return {
    tree,
    commits: new Map(refs.map((ref) => [ref, known(ref) ?? found.get(ref)])),
    history,
    ...(gate === 'implemented' && { kept: commitsToKeep(context, where, history) }),
    uncommitted,
  }
}

/**
 * Requires that the files equal HEAD, and that HEAD descends from the commit where the spawn began. A second call does
 * nothing.
 */
const requireCommit = async (
  { host }: Context,
  where: EvidenceFolder,
  { task, retry }: EvidenceToObserve,
  facts: GitFacts,
  { problems, warnings }: Observations,
): Promise<void> => {
  const { uncommitted, history } = facts
  if (facts.isChecked || !where.git || where.git.fault()) return
  facts.isChecked = true
  if (history?.problem) problems.push({ path: 'history', message: history.problem })
  if (!uncommitted) {
    problems.push({ path: 'git', message: `git could not compare ${where.folder} with HEAD` })
    return
  }
  const { toleratedWarning, uncommittedProblem } = await import('./uncommitted-work.ts')
  if (uncommitted.open.length > 0)
    problems.push(uncommittedProblem(where, uncommitted, { cwd: host.cwd, task, retry }))
  warnings.push(...uncommitted.state.warnings, ...toleratedWarning(uncommitted))
}

const observeNamed = async (
  where: EvidenceFolder,
  { gate, atoms }: EvidenceToObserve,
  { history, uncommitted }: GitFacts,
  observed: Observations,
): Promise<void> => {
  const { observeFiles, observeReport } = await import('./observe-files.ts')
  const paths = atoms.flatMap((atom) => (atom.kind === 'files' ? atom.paths : []))
  observeFiles(where, { paths, isWork: gate === 'implemented', history, uncommitted }, observed)
  for (const atom of atoms) if (atom.kind === 'test-run') await observeReport(where, atom.path, observed)
}

/** Checks that commits exist and are in the history of the checked-out commit. */
const observeCommits = async (
  where: EvidenceFolder,
  named: readonly Atom[],
  { commits, history, kept }: GitFacts,
  { atoms, problems, warnings }: Observations,
): Promise<void> => {
  const { git, head, spawn } = where
  for (const ref of named.flatMap((atom) => (atom.kind === 'commit' ? [atom.ref] : []))) {
    const path = 'commit'
    if (where.lost || git?.fault()) return
    if (!git) {
      problems.push({ path, message: `${where.folder} is not in a git repository; leave the commit out` })
      continue
    }
    const sha = commits?.get(ref)
    const isNew = history?.commits.some((commit) => commit.sha === sha)
    if (sha === undefined) problems.push({ path, message: `there is no commit ${ref} in ${where.folder}` })
    else if (sha !== head && !isNew && (await git.notReachable([sha])).length > 0)
      problems.push({ path, message: `commit ${ref} is not in the history of ${folderAtCommit(where)}` })
    else {
      atoms.push({ kind: 'commit', ref, sha, ...(kept && sha === head && { since: kept }) })
      if (spawn && history && !history.problem && !isNew)
        warnings.push(`commit ${sha.slice(0, 7)} is older than the first spawn of the task`)
    }
  }
}
