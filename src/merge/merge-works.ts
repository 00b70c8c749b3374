import { receiptsOf } from '../claims/sql/returns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { worktreeDefaults } from '../kernel/config-words.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { MergeCode } from '../worktrees/codes.ts'
import { type Integration, integrationOf } from '../worktrees/integration.ts'
import { bringOutput } from './bring-output.ts'
import { type CheckedTree, checkTree, isProved } from './check-tree.ts'
import { settle } from './landing.ts'
import { type Moved, moveBranch } from './move-branch.ts'
import { removeMergedTrees } from './remove-leftovers.ts'
import { sendBack } from './send-back.ts'
import { type MergeStep, type Stack, stackMerges } from './stack.ts'
import { type Work, workOf } from './work.ts'

export interface MergedWork extends Moved {
  ok: true
  into: string
  /** How many commits of the spawn were merged. */
  commits: number
}

export type MergeResult = MergedWork | Failure<MergeCode>

/**
 * Merges works of one epic into its integration branch, several at a time. The checks run once on all of these works
 * together, and no lock is held while they run. If the checks fail, only the work that makes them fail is sent back. If
 * another process moves the branch first, the works are merged again on top of the moved branch.
 */
export const mergeWorks = async (
  context: Context,
  epic: string,
  works: readonly Work[],
): Promise<Map<string, MergeResult>> => {
  const results = new Map<string, MergeResult>()
  const most = context.config.merge?.batch ?? worktreeDefaults.batch
  let waiting = [...works]
  while (waiting.length > 0) {
    await settle(context, epic)
    let integration = await integrationOf(context, epic)
    if (!integration.ok && integration.code === 'integration.moved') {
      // Another process may have moved the branch without recording the move yet. Record such a move first.
      await settle(context, epic)
      integration = await integrationOf(context, epic)
    }
    if (!integration.ok) return withRest(results, waiting, integration)
    const round = await mergeRound(context, integration.value, waiting.slice(0, most))
    for (const [id, result] of round) results.set(id, result)
    const failed = [...round.values()].find((result) => !result.ok && result.code === 'merge.failed')
    if (failed) return withRest(results, waiting, failed)
    waiting = waiting.filter(({ spawn }) => !results.has(spawn.id))
  }
  return results
}

/** Sets `answer` as the result of each work that has no result yet. */
const withRest = (
  results: Map<string, MergeResult>,
  works: readonly Work[],
  answer: MergeResult,
): Map<string, MergeResult> => {
  for (const { spawn } of works) if (!results.has(spawn.id)) results.set(spawn.id, answer)
  return results
}

/**
 * Runs one round of `mergeWorks`: merges the works on top of each other, checks the result and moves the branch to the
 * last step that passes. Sends a work back if it conflicts with the branch or makes the checks fail. Works without a
 * result wait for the next round.
 */
const mergeRound = async (
  context: Context,
  integration: Integration,
  works: readonly Work[],
): Promise<Map<string, MergeResult>> => {
  const results = new Map<string, MergeResult>()
  const { git, tip, branch } = integration
  const stack = await stackMerges(git, tip, works, {
    outputs: outputsPath(context, git),
    own: context.folder.slice(git.top.length + 1),
    isSquashed: integration.landed_at !== null,
  })
  if (stack.failed) {
    const { work, why } = stack.failed
    return new Map([[work.spawn.id, fail('merge.failed', { task: work.task.id, into: branch, why })]])
  }
  for (const { work, files } of stack.conflicts) {
    const others = await tasksThatTouched(git, { from: work.worktree.base, to: tip }, files)
    results.set(
      work.spawn.id,
      await sendBack(context, integration, work, { kind: 'conflict', files, others }),
    )
  }
  if (stack.steps.length === 0) return results
  const checked = await greenSteps(context, integration, stack.steps)
  if ('failed' in checked) {
    const { work } = stack.steps[0]!
    const failure = fail('merge.failed', { task: work.task.id, into: branch, why: checked.failed })
    return results.set(work.spawn.id, failure)
  }
  const { green, culprit, red, flaky } = checked
  if (green.length > 0) {
    const moved = await moveGreen(context, integration, { green, flaky, single: stack.single })
    // If another process moved the branch, these check results are out of date, so no work is sent back.
    if (!moved) return results
    for (const [id, result] of moved) results.set(id, result)
  }
  if (culprit && red)
    results.set(culprit.spawn.id, await sendBack(context, integration, culprit, { kind: 'red', ...red }))
  return results
}

/** The folder is relative to the top of the repository. */
const outputsPath = (context: Context, git: GitWriter): string =>
  workFoldersIn(context, context.root).output.slice(git.top.length + 1)

interface CheckedSteps {
  /** The steps up to the last one that passes the checks. */
  green: readonly MergeStep[]
  /** The work whose step makes the checks fail. */
  culprit?: Work
  red?: CheckedTree['red']
  flaky: CheckedTree['flaky']
}

/**
 * Finds how many steps pass the checks. If the checks fail after the last step, the list is halved until the failing
 * step is found.
 */
const greenSteps = async (
  context: Context,
  { git, tip }: Integration,
  steps: readonly MergeStep[],
): Promise<CheckedSteps | { failed: string }> => {
  const works = steps.map(({ work }) => work)
  const [only] = works
  // Skip the checks if the merged files are exactly the proved files: the work was proved, and the branch has not moved
  // since the worktree was made.
  if (steps.length === 1 && only!.worktree.base === tip && (await isProved(context, only!)))
    return { green: steps, flaky: [] }
  const check = (count: number, again: boolean) =>
    checkTree(context, git, { commit: steps[count - 1]!.commit, works: works.slice(0, count), again })
  const all = await check(steps.length, steps.length === 1)
  if ('failed' in all) return all
  if (!all.red) return { green: steps, flaky: all.flaky }
  let green = 0
  let red = steps.length
  while (red - green > 1) {
    const middle = (green + red) >> 1
    const half = await check(middle, false)
    if ('failed' in half) return half
    if (half.red) red = middle
    else green = middle
  }
  if (steps.length === 1) return { green: [], culprit: only!, red: all.red, flaky: [] }
  // The failing step is known. Run its checks once more: if they pass this time, the check is flaky and the work is
  // good.
  const last = await check(red, false)
  if ('failed' in last) return last
  if (!last.red) return { green: steps.slice(0, red), flaky: [all.red.tool] }
  return { green: steps.slice(0, green), culprit: works[red - 1]!, red: last.red, flaky: [] }
}

/** Returns undefined if another process moved the branch first. */
const moveGreen = async (
  context: Context,
  integration: Integration,
  { green, flaky, single }: Pick<CheckedSteps, 'green' | 'flaky'> & Pick<Stack, 'single'>,
): Promise<Map<string, MergeResult> | undefined> => {
  const { git, branch } = integration
  const results = new Map<string, MergeResult>()
  for (const { work } of green) await bringOutput(context, work.spawn)
  const carried = await carriedWorks(context, integration, green.at(-1)!)
  const moved = await moveBranch(context, integration, [...carried, ...green], { flaky })
  if (!moved.ok) return new Map(green.map(({ work }) => [work.spawn.id, moved]))
  if (!moved.value) return undefined
  const warnings = [
    ...moved.value.warnings,
    ...flaky.map((tool) => `${tool} failed once and passed when run again`),
    ...green.flatMap(({ work }) => movedWarning(work)),
  ]
  const areSingle = green.every(({ work }) => single.has(work.head))
  const counts = areSingle ? green.map(() => 1) : await commitsOf(git, integration.tip, green)
  for (const [i, { work }] of green.entries())
    results.set(work.spawn.id, { ok: true, into: branch, commits: counts[i]!, ...moved.value, warnings })
  warnings.push(...(await removeMergedTrees(context, git, integration.epic)))
  return results
}

const movedWarning = ({ spawn, worktree, head, moved }: Work): string[] =>
  moved === undefined
    ? []
    : [
        `${worktree.branch} was moved to ${moved.slice(0, 9)} after ${spawn.id} had submitted ${head.slice(0, 9)}; the submitted commit is merged, and the new one is kept as refs/cleo/attempts/${spawn.id}`,
      ]

/** Returns how many commits of each work were merged. Starts git only once for all works. */
const commitsOf = async (git: GitWriter, tip: string, green: readonly MergeStep[]): Promise<number[]> => {
  const log = await git.run(['log', '--format=%H %P', green.at(-1)!.commit, `^${tip}`])
  const parents = new Map(log.text.split('\n').map((line) => [line.split(' ')[0]!, line.split(' ').slice(1)]))
  return green.map(({ work }) => {
    const found = new Set<string>()
    for (const waiting = [work.head]; waiting.length > 0; ) {
      const commit = waiting.pop()!
      if (!parents.has(commit) || found.has(commit)) continue
      found.add(commit)
      waiting.push(...parents.get(commit)!)
    }
    return [...found].filter((commit) => parents.get(commit)!.length < 2).length
  })
}

/**
 * A follow-up task starts from the branch of partial work. If the partial work was not merged before, the step of the
 * follow-up task merges it too. Returns all partial works that a step merges in this way.
 */
const carriedWorks = async (
  context: Context,
  { git, epic }: Integration,
  { commit }: MergeStep,
): Promise<MergeStep[]> => {
  const carried: MergeStep[] = []
  for (const id of await merges.unmergedPartial(context.store, epic)) {
    const receipt = (await receiptsOf(context.store, id)).find(({ returned }) => returned === 'partial')
    const spawn = receipt && (await spawns.find(context.store, receipt.spawn))
    const work =
      spawn && (await workOf(context, git, { task: (await tasks.find(context.store, id))!, spawn }))
    if (work && 'head' in work && (await git.isAncestor(work.head, commit))) carried.push({ work, commit })
  }
  return carried
}

const tasksThatTouched = async (
  git: GitWriter,
  { from, to }: { from: string; to: string },
  files: readonly string[],
): Promise<string[]> => {
  const log = await git.run([
    'log',
    '-m',
    '--first-parent',
    '--format=%s',
    `${from}..${to}`,
    '--',
    ...files.slice(0, 50),
  ])
  const ids = log.text.split('\n').flatMap((subject) => /^Merge (T\d{3,})\.\d+: /.exec(subject)?.[1] ?? [])
  return [...new Set(ids)]
}
