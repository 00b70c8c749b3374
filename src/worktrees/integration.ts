import { checkoutBusyWith, folderOnBranch } from '../git/git-folder.ts'
import { type GitWriter, gitWriterAt } from '../git/git-writer.ts'
import { branchOf, topOfRepository } from '../git/repository.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { IntegrationCode } from './codes.ts'
import type { IntegrationRow } from './sql.ts'
import * as worktrees from './sql.ts'

/** The integration branch of an epic, already checked: the branch exists in git and is at the recorded tip. */
export interface Integration extends IntegrationRow {
  git: GitWriter
}

export const branchOfEpic = (epic: string): string => `cleo/${epic}`
export const branchOfSpawn = (spawn: string): string => `cleo/${spawn}`
export const refOf = (branch: string): string => `refs/heads/${branch}`
/** The ref that keeps the commits of an attempt after its branch is gone. */
export const attemptRef = (spawn: string): string => `refs/cleo/attempts/${spawn}`

export const writerFor = ({ host, root }: Pick<Context, 'host' | 'root'>): GitWriter =>
  gitWriterAt(host, topOfRepository(host, root) ?? root)

/** Undefined before the first spawn that needs the branch. */
export const findIntegration = async (
  context: Context,
  epic: string,
): Promise<Result<Integration | undefined, IntegrationCode>> => {
  const row = await worktrees.integration(context.store, epic)
  return row ? checked(context, row) : ok(undefined)
}

/** If the branch does not exist yet, makes it from the commit that the user has checked out. */
export const integrationOf = async (
  context: Context,
  epic: string,
): Promise<Result<Integration, IntegrationCode>> => {
  const known = await worktrees.integration(context.store, epic)
  if (known) return checked(context, known)
  const git = writerFor(context)
  const branch = branchOfEpic(epic)
  const doing = await checkoutBusyWith(context.host, git.top)
  // Refuse during a rebase, because HEAD is a temporary commit. Allow an unfinished merge, because it has not moved
  // HEAD.
  if (doing === 'rebase') return fail('checkout.busy', { folder: git.top, doing })
  // If there is a branch `cleo`, git cannot create branches below `cleo/`.
  for (const taken of [branch, branch.slice(0, branch.indexOf('/'))])
    if (await git.commit(refOf(taken))) {
      // Another spawn might have made and recorded the branch meanwhile.
      const made = await worktrees.integration(context.store, epic)
      return made ? checked(context, made) : fail('integration.taken', { of: epic, branch: taken })
    }
  const onto = (await branchOf(context.host, git.top)) ?? null
  const head = await git.run(['rev-parse', '--verify', 'HEAD^{commit}'])
  if (!head.ok) return fail('integration.failed', { branch, why: lastLine(head.errors) })
  const base = head.text.trim()
  const now = await context.store.now()
  const row = { epic, branch, onto, base, tip: base, at: now, landed_at: null, landing: null }
  if (context.dryRun) return ok({ ...row, git })
  // Record the branch before making it. If CLEO crashes after that, the next command makes the branch.
  const recorded = await context.write(async (tx) => {
    const kept = await worktrees.addIntegration(tx.db, row)
    await tx.record({ task: epic, after: { integration: branch, base, onto } })
    return ok(kept)
  })
  return checked(context, recorded.value)
}

/**
 * Compares the integration branch in git with the recorded tip. If the branch is missing but the recorded commit
 * exists, makes the branch again.
 */
const checked = async (
  context: Context,
  row: IntegrationRow,
): Promise<Result<Integration, IntegrationCode>> => {
  const git = writerFor(context)
  const { branch, tip, onto } = row
  const folder = await folderOnBranch(context.host, git.top, branch)
  if (folder !== undefined)
    // Suggest switching to the user's branch only in the main checkout. Another folder usually cannot switch to it,
    // because the main checkout has that branch, and git allows a branch in one folder only.
    return fail('integration.checked_out', { branch, folder, onto: folder === git.top ? onto : null })
  const is = await git.commit(refOf(branch))
  if (is === undefined) {
    if (context.dryRun) return ok({ ...row, git })
    const made = await git.moveRef(refOf(branch), tip, undefined)
    // Another process might have made the ref meanwhile.
    if (!made.ok && (await git.commit(refOf(branch))) !== tip) return whyNotMade(git, row, made.errors)
  } else if (is !== tip) {
    // Accept a branch that another process has moved. That process is about to record the move, or has just recorded
    // it.
    const moves = await worktrees.movesOf(context.store, row.epic)
    if (moves.some((move) => move.tip === is)) return ok({ ...row, tip: is, git })
    const now = await worktrees.integration(context.store, row.epic)
    if (now && now.tip !== tip) return checked(context, now)
    // `land` records a planned move, moves the branch, and then records that it has moved the branch. If the branch is
    // at the planned commit, only the second record is missing, so accept the branch.
    if (now?.landing && landingOf(now)?.tip === is) return ok({ ...now, tip: is, git })
    return fail('integration.moved', { branch, is, was: tip })
  }
  return ok({ ...row, git })
}

/**
 * Returns why git could not make the missing branch again: the commit is gone too, or git could not write the branch.
 */
const whyNotMade = async (
  git: GitWriter,
  { branch, tip }: IntegrationRow,
  errors: string,
): Promise<Failure<'integration.lost' | 'integration.failed'>> =>
  (await git.commit(tip)) === undefined
    ? fail('integration.lost', { branch, commit: tip })
    : fail('integration.failed', { branch, why: lastLine(errors) })

/** Returns the last line of git's errors, as part of a sentence. */
export const lastLine = (text: string): string =>
  (text.trim().split('\n').at(-1) ?? '').replace(/^(fatal|error): /, '').replace(/\.$/, '')

/**
 * The moves that `land` has planned. They are recorded before branches move, so that after a crash the next command can
 * finish them.
 */
export interface Landing {
  /** `was` and `tip`: the commit of the integration branch before and after the move. */
  was: string
  tip: string
  /** The user's branch, its commit before and after the move, and the folder that has the branch checked out. */
  onto?: { branch: string; from: string; to: string; folder?: string }
  tasks: string[]
  /** Tags to make at the landed commit. */
  tags: { name: string; task: string }[]
}

export const landingOf = ({ landing }: Pick<IntegrationRow, 'landing'>): Landing | undefined =>
  landing === null ? undefined : (JSON.parse(landing) as Landing)
