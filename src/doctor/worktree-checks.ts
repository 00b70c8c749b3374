import * as spawns from '../claims/sql/spawns.ts'
import type { GitWriter } from '../host/git-writer.ts'
import { hasRepository } from '../host/repository.ts'
import { shellQuote } from '../kernel/print/shell-quote.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import {
  conditionOf,
  leftovers,
  removeLeftover,
  removeUnneeded,
  uncommittedIn,
  whyUnneeded,
} from '../worktrees/condition.ts'
import { writerFor } from '../worktrees/integration.ts'
import { worktreesFolder } from '../worktrees/place.ts'
import { clearWorktree, saveAttempt } from '../worktrees/remove.ts'
import type { WorktreeRow } from '../worktrees/sql.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding, mostShown } from './doctor-finding.ts'

/** Returns the rows of worktrees; none without a repository, because then their state is unknown. */
const rowsOf = async (context: Context): Promise<WorktreeRow[]> =>
  hasRepository(context.host, context.root) ? worktrees.worktrees(context.store) : []

/** Returns why a worktree is not needed any more; undefined if it is needed. */
const unneededOf = async ({ store }: Context, row: WorktreeRow): Promise<string | undefined> => {
  const task = await tasks.find(store, row.task)
  const latest = await spawns.lastAttempt(store, row.task)
  return task && whyUnneeded(row, task, latest?.id)
}

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
      if (condition === 'there' || (await unneededOf(context, row))) continue
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
      // `git worktree repair` writes only the link, no file of the work.
      if (!context.dryRun && (condition === 'emptied' || condition === 'unlinked'))
        await git.run(['worktree', 'repair', folder])
    }
  },
}

/** A worktree that is not needed, and the files that keep doctor from removing it. */
interface Idle {
  row: WorktreeRow
  why: string
  /** Files that are in no commit. */
  uncommitted: string[]
}

const idleWorktrees = async (context: Context): Promise<Idle[]> => {
  const git = writerFor(context)
  const found: Idle[] = []
  for (const row of await rowsOf(context)) {
    const why = (await unneededOf(context, row)) ?? (await whyAbandoned(context, row))
    const condition = why ? await conditionOf(context, git, row.folder) : undefined
    if (!why || (condition !== 'there' && condition !== 'missing')) continue
    found.push({ row, why, uncommitted: condition === 'there' ? await uncommittedIn(git, row.folder) : [] })
  }
  return found
}

const abandonedMs = 60 * 60_000

/** A worktree whose spawn was never recorded, because its process was killed. A new one may still be in progress. */
const whyAbandoned = async ({ store }: Context, row: WorktreeRow): Promise<string | undefined> => {
  if (await spawns.find(store, row.spawn)) return undefined
  return (await store.now()) - row.at > abandonedMs ? 'it was never spawned' : undefined
}

export const idle: StoreCheck = {
  id: 'worktree-idle',
  needs: 'store',
  question: 'Is every worktree still needed?',
  async find(context) {
    const all = await idleWorktrees(context)
    const clean = all.filter(({ uncommitted }) => uncommitted.length === 0)
    const unsaved = all.filter(({ uncommitted }) => uncommitted.length > 0)
    return [
      ...(clean.length > 0
        ? [
            fixableFinding({
              kind: 'state',
              severity: 'warning',
              what: `worktrees that are not needed: ${listNames(clean.map(({ row, why }) => `${row.spawn} (${why})`))}`,
              why: 'they take up disk space',
              where: clean[0]!.row.folder,
            }),
          ]
        : []),
      ...unsaved.slice(0, mostShown).map(({ row, why, uncommitted }) =>
        manualFinding({
          kind: 'state',
          severity: 'warning',
          what: `the worktree of ${row.spawn} is not needed (${why}), but has files in no commit: ${listNames(uncommitted)}`,
          why: 'CLEO does not remove uncommitted files; only a person does',
          where: row.folder,
          fix: `git -C ${shellQuote(row.folder)} status`,
        }),
      ),
    ]
  },
  async fix(context) {
    if (context.dryRun) return
    for (const { row, uncommitted } of await idleWorktrees(context))
      if (uncommitted.length === 0) await removeUnneeded(context, writerFor(context), row)
  },
  changesRows: true,
}

interface Stray {
  spawn: string
  folder: string
  branch: string | null
}

/** Worktrees that git lists in CLEO's folder for worktrees, and that belong to no spawn. */
const strays = async (context: Context, git: GitWriter): Promise<Stray[]> => {
  if (!hasRepository(context.host, context.root)) return []
  const known = new Set((await worktrees.worktrees(context.store)).map(({ folder }) => folder))
  const places = `${context.host.files.realPath(worktreesFolder(context))}/`
  const { text } = await git.run(['worktree', 'list', '--porcelain', '-z'])
  return text.split('\0\0').flatMap((entry): Stray[] => {
    const lines = entry.split('\0')
    const folder = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length)
    const branch = lines
      .find((line) => line.startsWith('branch refs/heads/'))
      ?.slice('branch refs/heads/'.length)
    const name = folder?.startsWith(places) ? folder.slice(places.length) : ''
    if (!folder || known.has(folder) || !parseSpawnId(name)) return []
    return context.host.files.kind(`${folder}/.git`) === 'file'
      ? [{ spawn: name, folder, branch: branch ?? null }]
      : []
  })
}

export const strayWorktrees: StoreCheck = {
  id: 'worktree-strays',
  needs: 'store',
  question: 'Does every worktree belong to a spawn?',
  async find(context) {
    const found = await strays(context, writerFor(context))
    if (found.length === 0) return []
    return [
      fixableFinding({
        kind: 'state',
        severity: 'warning',
        what: `worktrees that belong to no spawn: ${listNames(found.map(({ folder }) => folder))}`,
        why: 'their work will not be merged; --fix saves it below refs/cleo/attempts',
        where: found[0]!.folder,
      }),
    ]
  },
  async fix(context) {
    const git = writerFor(context)
    for (const stray of context.dryRun ? [] : await strays(context, git)) {
      const saved = await saveAttempt(context, git, stray)
      if (saved !== undefined) await clearWorktree(context, git, stray)
    }
  },
}

const foldersLeft = async (context: Context) => {
  const all = hasRepository(context.host, context.root) ? await leftovers(context, new Set()) : []
  return all.filter(({ what }) => what !== 'lock')
}

export const worktreeLeftovers: StoreCheck = {
  id: 'worktree-leftovers',
  needs: 'store',
  question: 'Is the folder of worktrees free of leftovers from killed commands?',
  async find(context) {
    const found = await foldersLeft(context)
    if (found.length === 0) return []
    return [
      fixableFinding({
        kind: 'file',
        severity: 'warning',
        what: `folders that killed commands left: ${listNames(found.map(({ name }) => name))}`,
        why: 'they take up disk space; what they held is saved',
        where: found[0]!.path,
      }),
    ]
  },
  async fix(context) {
    for (const left of context.dryRun ? [] : await foldersLeft(context))
      await removeLeftover(writerFor(context), left)
  },
}
