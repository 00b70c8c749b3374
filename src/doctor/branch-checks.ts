import { folderOnBranch } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { hasRepository } from '../git/repository.ts'
import { settle } from '../merge/landing.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { refOf, writerFor } from '../worktrees/integration.ts'
import type { IntegrationRow } from '../worktrees/sql.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, manualFinding } from './doctor-finding.ts'

type Fault = 'unfinished' | 'gone' | 'lost' | 'moved' | 'checked out'

interface Faulty {
  row: IntegrationRow
  fault: Fault
  /** The commit to which the branch points now. */
  is?: string
  folder?: string
}

const faultyBranches = async (context: Context, git: GitWriter): Promise<Faulty[]> => {
  const rows = hasRepository(context.host, context.root) ? await worktrees.integrations(context.store) : []
  const found: Faulty[] = []
  for (const row of rows) {
    const is = await git.commit(refOf(row.branch))
    const moves = await worktrees.movesOf(context.store, row.epic)
    const folder = await folderOnBranch(context.host, git.top, row.branch)
    if (row.landing !== null || moves.some(({ tip }) => tip === is)) found.push({ row, fault: 'unfinished' })
    else if (folder !== undefined) found.push({ row, fault: 'checked out', folder })
    else if (is === undefined)
      found.push({ row, fault: (await git.commit(row.tip)) === undefined ? 'lost' : 'gone' })
    else if (is !== row.tip) found.push({ row, fault: 'moved', is })
  }
  return found
}

const describeFault = ({ row: { branch, tip, onto, epic }, fault, is, folder }: Faulty): DoctorFinding => {
  const about = { kind: 'state', severity: 'error', where: branch } as const
  if (fault === 'unfinished')
    return fixableFinding({
      ...about,
      what: `a command that moved ${branch} was killed`,
      why: `the work of ${epic} that it merged or landed is not recorded`,
    })
  if (fault === 'gone')
    return fixableFinding({
      ...about,
      what: `the branch ${branch} is gone; its last commit ${tip.slice(0, 9)} still exists`,
      why: `merged work of ${epic} is in no branch`,
    })
  if (fault === 'moved')
    return fixableFinding({
      ...about,
      what: `${branch} is at ${is!.slice(0, 9)}, but CLEO left it at ${tip.slice(0, 9)}`,
      why: 'CLEO has not checked the commits added since; --fix saves them below refs/cleo/moved and moves the branch back',
    })
  if (fault === 'checked out')
    return manualFinding({
      ...about,
      what: `${branch} is checked out in ${folder}`,
      why: 'CLEO moves this branch, but does not change the files of that folder',
      fix: `git -C ${shellQuote(folder!)} switch ${onto === null ? '--detach' : shellQuote(onto)}`,
    })
  return manualFinding({
    ...about,
    what: `the branch ${branch} is gone, and so is its last commit ${tip.slice(0, 9)}`,
    why: `merged work of ${epic} is not in this repository`,
    advice: `Fetch ${tip} from the clone in which ${epic} was worked on`,
  })
}

export const integrationBranches: StoreCheck = {
  id: 'integration',
  needs: 'store',
  question: 'Is every integration branch where CLEO left it?',
  async find(context) {
    return (await faultyBranches(context, writerFor(context))).map(describeFault)
  },
  async fix(context) {
    const git = writerFor(context)
    for (const { row, fault, is } of context.dryRun ? [] : await faultyBranches(context, git)) {
      if (fault === 'unfinished') await settle(context, row.epic)
      if (fault === 'gone') await git.moveRef(refOf(row.branch), row.tip, undefined)
      if (fault === 'moved' && (await keepMoved(git, row.epic, is!)))
        await git.moveRef(refOf(row.branch), row.tip, is)
    }
  },
  changesRows: true,
}

/**
 * Makes a ref to commits that someone else put on an integration branch, so that they are not lost. The ref gets
 * the first free number.
 */
const keepMoved = async (git: GitWriter, epic: string, commit: string): Promise<boolean> => {
  for (let n = 1; n < 1000; n++) {
    const ref = `refs/cleo/moved/${epic}-${n}`
    if ((await git.moveRef(ref, commit, undefined)).ok || (await git.commit(ref)) === commit) return true
  }
  return false
}
