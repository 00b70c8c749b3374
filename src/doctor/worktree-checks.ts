import { hasRepository } from '../git/repository.ts'
import { refuse } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { conditionOf } from '../worktrees/condition.ts'
import { attemptRef, refOf, writerFor } from '../worktrees/integration.ts'
import { clearWorktree, saveAttempt } from '../worktrees/remove.ts'
import type { WorktreeRow } from '../worktrees/sql.ts'
import * as worktrees from '../worktrees/sql.ts'
import {
  idleWorktrees,
  leftovers,
  looseBranches,
  removeLeftover,
  removeUnneeded,
  strayWorktrees,
  whyUnneeded,
} from '../worktrees/unneeded.ts'
import type { StoreCheck } from './check.ts'
import { storeListCheck } from './check-shapes.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding, mostShown } from './doctor-finding.ts'

/** Returns no worktrees if there is no git repository, because git has to examine the worktrees. */
const rowsOf = async (context: Context): Promise<WorktreeRow[]> =>
  hasRepository(context.host, context.root) ? worktrees.worktrees(context.store) : []

export const worktreeFolders: StoreCheck = {
  id: 'worktree-folders',
  needs: 'store',
  question: 'Is the folder of every worktree there, and linked to this repository?',
  async find(context) {
    const git = writerFor(context)
    const findings: DoctorFinding[] = []
    for (const row of await rowsOf(context)) {
      const { spawn, folder, task } = row
      const condition = await conditionOf(context, git, folder)
      if (condition === 'there' || (await whyUnneeded(context, row))) continue
      const about = { kind: 'file', severity: 'error', where: folder } as const
      if (condition === 'missing')
        findings.push(
          manualFinding({
            ...about,
            what: `the worktree of ${spawn}, ${folder}, does not exist`,
            why: 'its agent cannot work, and files that were in no commit are lost; its commits are safe',
            fix: `cleo respawn ${task} --continue --ref`,
          }),
        )
      else
        findings.push(
          fixableFinding({
            ...about,
            what: `${folder}, the worktree of ${spawn}, is not linked to this repository`,
            why:
              condition === 'emptied'
                ? 'git would find a repository above it, and commits of its agent would land there'
                : 'the repository was moved, and git does not work in that folder',
          }),
        )
    }
    return findings.slice(0, mostShown)
  },
  async fix(context) {
    const git = writerFor(context)
    for (const { folder } of await rowsOf(context)) {
      const condition = await conditionOf(context, git, folder)
      // `git worktree repair` loses no work: it writes only the link to the repository.
      if (!context.dryRun && (condition === 'emptied' || condition === 'unlinked'))
        await git.run(['worktree', 'repair', folder])
    }
  },
}

/** Leaves out worktrees without their git link, because the check `worktree-folders` reports these worktrees. */
const idleIn = async (context: Context) => {
  const all = hasRepository(context.host, context.root) ? await idleWorktrees(context) : []
  return all.filter(({ condition }) => condition === 'there' || condition === 'missing')
}

export const idle: StoreCheck = {
  id: 'worktree-idle',
  needs: 'store',
  question: 'Is every worktree still needed?',
  async find(context) {
    const all = await idleIn(context)
    const clean = all.filter(({ uncommitted }) => uncommitted.length === 0)
    const unsaved = all.filter(({ uncommitted }) => uncommitted.length > 0)
    const about = { kind: 'state', severity: 'warning' } as const
    return [
      ...(clean.length > 0
        ? [
            fixableFinding({
              ...about,
              what: `worktrees that are not needed: ${listNames(clean.map(({ row, why }) => `${row.spawn} (${why})`))}`,
              why: 'they take up disk space',
              where: clean[0]!.row.folder,
            }),
          ]
        : []),
      ...unsaved.slice(0, mostShown).map(({ row, why, uncommitted }) =>
        manualFinding({
          ...about,
          what: `the worktree of ${row.spawn} is not needed (${why}), but has files in no commit: ${listNames(uncommitted)}`,
          why: 'CLEO does not remove uncommitted files; only a person may do that',
          where: row.folder,
          fix: `git -C ${shellQuote(row.folder)} status`,
        }),
      ),
    ]
  },
  async fix(context) {
    for (const { row, uncommitted } of context.dryRun ? [] : await idleIn(context))
      if (uncommitted.length === 0) await removeUnneeded(context, writerFor(context), row)
  },
  changesRows: true,
}

export const strays = storeListCheck({
  id: 'worktree-strays',
  question: 'Does every worktree belong to a spawn?',
  kind: 'state',
  severity: 'warning',
  find: strayWorktrees,
  what: (names) => `worktrees that belong to no spawn: ${names}`,
  name: ({ folder }) => folder,
  why: 'their work will not be merged; --fix saves it below refs/cleo/attempts',
  where: ({ folder }) => folder,
  async fix(context, stray) {
    const git = writerFor(context)
    const saved = await saveAttempt(context, git, stray)
    if ('unsaved' in saved) {
      const { spawn, folder } = stray
      return refuse('worktree.unsavable', { spawn, folder, why: saved.unsaved })
    }
    await clearWorktree(context, git, stray)
  },
})

export const worktreeLeftovers = storeListCheck({
  id: 'worktree-leftovers',
  question: 'Is the folder of worktrees free of leftovers from killed commands?',
  kind: 'file',
  severity: 'warning',
  async find(context) {
    const all = hasRepository(context.host, context.root) ? await leftovers(context, new Set()) : []
    return all.filter(({ what }) => what !== 'lock')
  },
  what: (names) => `folders that killed commands left: ${names}`,
  name: ({ name }) => name,
  why: 'they take up disk space; their content is saved',
  where: ({ path }) => path,
  fix: (context, left) => removeLeftover(writerFor(context), left),
})

export const spawnBranches = storeListCheck({
  id: 'worktree-branches',
  question: 'Does every branch of a spawn have a worktree?',
  kind: 'state',
  severity: 'warning',
  find: looseBranches,
  what: (names) => `branches of spawns that ended: ${names}`,
  name: ({ branch }) => branch,
  why: 'they will not be merged; --fix keeps their commits below refs/cleo/attempts',
  where: ({ branch }) => branch,
  async fix(context, { spawn, branch, commit }) {
    const git = writerFor(context)
    const ref = attemptRef(spawn)
    const saved = await git.commit(ref)
    const isSaved = saved !== undefined && (await git.isAncestor(commit, saved))
    // The ref can already point to a saved commit. Move the ref only if the branch contains this commit, because
    // otherwise saved work would be lost.
    const canMove = saved === undefined || (await git.isAncestor(saved, commit))
    if (isSaved || (canMove && (await git.moveRef(ref, commit, saved)).ok))
      await git.deleteRef(refOf(branch), commit)
  },
})
