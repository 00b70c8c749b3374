import { generatedBetween, generatedWarning } from '../git/generated-files.ts'
import { gitAt } from '../git/git.ts'
import { checkoutBusyWith, folderOnBranch } from '../git/git-folder.ts'
import { branchOf, hasRepository } from '../git/repository.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as merges from '../tasks/sql/merges.ts'
import { bringCodes, integrationCodes } from '../worktrees/codes.ts'
import {
  findIntegration,
  type Integration,
  type Landing,
  refOf,
  writerFor,
} from '../worktrees/integration.ts'
import type { CheckedTree } from './check-tree.ts'
import { checkoutCodes, checkoutProblem } from './checkout-problems.ts'
import {
  beginLanding,
  dropWhenDone,
  finishLanding,
  type Landed,
  moveUserBranch,
  settle,
  whileLanding,
} from './landing.ts'
import {
  bringTogether,
  checkLanding,
  commitOf,
  type LandingKind,
  type LandingTask,
  landingTasks,
} from './landing-plan.ts'
import { landingMessage } from './landing-text.ts'
import { mergeUserBranch } from './merge-user-branch.ts'

export const landCodes = [
  ...new Set([
    ...integrationCodes,
    ...bringCodes,
    ...checkoutCodes,
    'land.none',
    'land.nowhere',
    'land.branch',
    'land.elsewhere',
    'task.changed',
  ] as const),
]
type LandCode = (typeof landCodes)[number]

export interface LandOptions {
  onto?: string
  squash: boolean
  update: boolean
  /** True to prepare only a pull request, without changing a branch of the user. */
  request: boolean
}

export interface LandingResult extends Landed {
  branch: string
  onto: string
  kind: LandingKind
  /** The commit of the user's branch after the landing; undefined in a dry run, or if there is nothing to land. */
  commit?: string
  /** How many commits are added to the user's branch, not counting merges. */
  commits: number
  tasks: LandingTask[]
  files: string[]
  checked?: CheckedTree
  /** Tasks that are out, and tasks whose work is not merged. */
  left: TaskRow[]
}

/**
 * Merges the integration branch of an epic into the user's branch. First merges without a checkout and runs the
 * checks on the result. Then moves the user's branch and the files of its checkout. Holds no lock while the checks
 * run. If a branch moves during the checks, starts again.
 */
export const landEpic = async (
  context: Context,
  epic: TaskRow,
  options: LandOptions,
): Promise<Result<LandingResult, LandCode>> => {
  for (let tries = 0; tries < mostTries; tries++) {
    await settle(context, epic.id)
    const landed = await tryLand(context, epic, options)
    if (landed !== 'moved') return landed
  }
  return fail('task.changed', { id: epic.id })
}

const mostTries = 5

const tryLand = async (
  context: Context,
  epic: TaskRow,
  options: LandOptions,
): Promise<Result<LandingResult, LandCode> | 'moved'> => {
  const target = await targetOf(context, epic.id, options)
  if (!target.ok) return target
  const { onto } = target.value
  if (options.update && !context.dryRun) {
    const brought = await mergeUserBranch(context, target.value.integration, onto)
    if (!brought.ok) return brought
    if (brought.value === 'moved') return 'moved'
    target.value.integration = brought.value
  }
  const { integration, folder } = target.value
  const { git, branch, tip } = integration
  const from = (await git.commit(refOf(onto)))!
  const together = await bringTogether(integration, { ours: from, theirs: tip, onto }, options.squash)
  if (!together.ok) return together
  const { kind, tree } = together.value
  const problem =
    folder && !options.request
      ? await checkoutProblem(context, git, { folder, from, to: together.value.commit ?? tree })
      : undefined
  if (problem) return problem
  const unlanded = (await merges.toLand(context.store, epic.id)).map(({ id }) => id)
  const landing = await landingTasks(context, epic.id)
  const counted = await git.run(['rev-list', '--count', '--no-merges', tip, `^${from}`])
  const names = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, tree, '--'])
  const files = names.text.split('\0').filter((name) => name !== '')
  const generated = await generatedBetween(gitAt(context.host, git.top)!, files, { from, to: tree })
  const warnings = generated.length > 0 ? [generatedWarning(generated, 'after landing')] : []
  const result: LandingResult = {
    ...{ branch, onto, kind, tasks: landing, unblocked: [], tags: [], warnings, dropped: false },
    commits: Number(counted.text.trim()),
    files,
    left: await merges.unmerged(context.store, epic.id),
  }
  if (context.dryRun) return ok({ ...result, tags: landing.flatMap(({ tag }) => tag ?? []) })
  const isNothing = kind === 'contained' && unlanded.length === 0
  if (isNothing) return ok({ ...result, dropped: await dropWhenDone(context, epic.id) })
  const message = landingMessage({ epic: epic.id, title: epic.title, tasks: landing })
  const to = await commitOf(integration, together.value, onto, message)
  if (typeof to !== 'string') return to
  const checked = await checkLanding(context, integration, to, onto)
  if (!checked.ok) return checked
  const all = { ...result, commit: to, checked: checked.value }
  if (options.request) return ok(all)
  const plan: Landing = {
    ...{ was: tip, tip: to, tasks: unlanded },
    onto: { branch: onto, from, to, ...(folder && { folder }) },
    tags: landing.flatMap(({ id, tag }) => (tag ? [{ name: tag, task: id }] : [])),
  }
  return carryOut(context, epic.id, plan, all)
}

/** Only one process at a time carries out a landing. */
const carryOut = (
  context: Context,
  epic: string,
  plan: Landing,
  result: LandingResult,
): Promise<Result<LandingResult, LandCode> | 'moved'> =>
  whileLanding(context, async () => {
    const { branch, onto } = result
    // Check again, because a person may have edited a file while the project's checks ran.
    const { folder, from, to } = plan.onto!
    const problem = folder && (await checkoutProblem(context, writerFor(context), { folder, from, to }))
    if (problem) return problem
    if (!(await beginLanding(context, epic, plan))) return 'moved'
    const why = await moveUserBranch(context, epic, plan.onto!)
    if (why === 'moved') return 'moved'
    if (why) return fail('land.failed', { branch, onto, why })
    const landed = await finishLanding(context, epic, plan)
    return ok({ ...result, ...landed, warnings: [...result.warnings, ...landed.warnings] })
  })

interface Target {
  integration: Integration
  onto: string
  /** The folder in which the branch `onto` is checked out; undefined if there is no such folder. */
  folder?: string
}

/** If another branch is checked out, refuses to land, but allows a pull request. */
const targetOf = async (
  context: Context,
  epic: string,
  { onto: named, request }: LandOptions,
): Promise<Result<Target, LandCode>> => {
  const found = await findIntegration(context, epic)
  if (!found.ok) return found
  const integration = found.value
  const { host } = context
  if (!integration) {
    const noGit = !hasRepository(host, context.root)
    return fail('land.none', { epic, ...(noGit && { noGit }) })
  }
  const { git } = integration
  const doing = request ? undefined : await checkoutBusyWith(host, git.top)
  if (doing) return fail('checkout.busy', { folder: git.top, doing })
  const is = await branchOf(host, git.top)
  const onto = named ?? integration.onto
  if (onto === null) return fail('land.nowhere', { epic, branch: is })
  const why = await whyUnfit(integration, onto)
  if (why) return fail('land.branch', { onto, why })
  const folder = await folderOnBranch(host, git.top, onto)
  // Do not refuse if HEAD is detached and the caller names a branch: that branch can move without changing the
  // checkout.
  const isElsewhere = folder !== git.top && (is !== undefined || named === undefined)
  if (isElsewhere && !request) return fail('land.elsewhere', { folder: git.top, is, onto, epic })
  return ok({ integration, onto, ...(folder && { folder }) })
}

const whyUnfit = async ({ git, branch }: Integration, onto: string): Promise<string | undefined> => {
  if (onto === branch) return 'it is the integration branch itself'
  if (/^cleo\/T\d+(\.\d+)?$/.test(onto)) return 'it is a branch of CLEO'
  return (await git.commit(refOf(onto))) === undefined ? 'there is no such branch' : undefined
}
