import { listIds } from '../print/id-list.ts'
import { printable } from '../print/printable.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { type Problem, refusal } from './refusal.ts'

const discard = () => [
  'A person can remove the worktree with --discard, which first saves its files below refs/cleo/attempts.',
]

export const worktrees = () => ({
  'worktree.failed': refusal<{ spawn: string; folder: string; why: string }>({
    exit: 63,
    message: ({ spawn, folder, why }) => `The worktree of ${spawn} could not be made in ${folder}: ${why}.`,
    fix: () => 'cleo doctor',
    alternatives: () => ['To work in the shared checkout instead, add --here.'],
  }),
  'worktree.setup': refusal<{
    spawn: string
    command: string
    /** How the command ended, such as `exited with 1`. */
    ending: string
    exit?: number
    /**
     * A colon, the last lines of the command's output and the path of the log; empty if there is neither output nor
     * log.
     */
    lines: string
    log?: string
    setting: string
  }>({
    exit: 63,
    message: ({ spawn, command, ending, lines }) =>
      `The worktree of ${spawn} could not be set up: ${command} ${ending}${lines}`,
    fix: ({ setting }) => `cleo config get ${setting}`,
    alternatives: () => [
      'A person can choose other commands: cleo config set worktrees.setup "…"',
      'A person can switch the set-up off: cleo config set worktrees.setup "[]"',
    ],
  }),
  'worktree.space': refusal<{ folder: string; free: string; needed: string }>({
    exit: 3,
    message: ({ folder, free, needed }) =>
      `No worktree was made: the disk of ${folder} has ${free} free, but worktrees.minFree requires ${needed}.`,
    fix: () => 'cleo worktree list',
    alternatives: () => ['To remove the worktrees that no task needs any more: cleo worktree prune'],
  }),
  'worktree.invalid': refusal<{ folder: string; why: string; fix: string }>({
    exit: 63,
    message: ({ folder, why }) => `${folder} cannot be adopted as a worktree: ${why}.`,
    fix: ({ fix }) => fix,
  }),
  'worktree.none': refusal<{ spawn: string }>({
    exit: 4,
    message: ({ spawn }) => `${spawn} has no worktree.`,
    fix: () => 'cleo worktree list',
  }),
  'worktree.unsaved': refusal<{ spawn: string; folder: string; files: readonly string[] }>({
    exit: 6,
    message: ({ spawn, folder, files }) =>
      `The worktree of ${spawn} was not removed, because ${folder} has uncommitted files: ${firstFiles(files)}.`,
    fix: ({ folder }) => `git -C ${shellQuote(folder)} status`,
    alternatives: discard,
  }),
  'worktree.needed': refusal<{ spawn: string; task: string; isOut: boolean }>({
    exit: 6,
    message: ({ spawn, isOut }) =>
      isOut
        ? `The worktree was not removed: the agent of ${spawn} has not returned and may still be using it.`
        : `The work of ${spawn} is not merged yet, so its worktree is still needed.`,
    fix: ({ task }) => `cleo receive ${task}`,
    alternatives: discard,
  }),
  'worktree.unsavable': refusal<{ spawn: string; folder: string; why: string }>({
    exit: 6,
    message: ({ spawn, folder, why }) =>
      `CLEO cannot save the files of ${folder}, the worktree of ${spawn}: ${why}.`,
    fix: () => 'cleo doctor',
  }),
  'worktree.elsewhere': refusal<{ spawn: string; folder: string; branch: string; on: string | null }>({
    exit: 63,
    message: ({ spawn, folder, branch, on }) =>
      `${folder} has ${on ? `branch ${on}` : 'no branch'} checked out, but CLEO merges the work of ${spawn} only from ${branch}.`,
    fix: ({ folder, branch, on }) =>
      `git -C ${shellQuote(folder)} switch ${branch} && git -C ${shellQuote(folder)} merge ${shellQuote(on ?? '@{-1}')}`,
  }),
  'integration.taken': refusal<{ of: string; branch: string }>({
    exit: 63,
    message: ({ of, branch }) =>
      `The branch ${branch} exists, but CLEO did not make it. CLEO needs this name for the work of ${of}.`,
    fix: ({ branch }) => `git branch -m ${branch} my-${branch.replace('/', '-')}`,
  }),
  'integration.checked_out': refusal<{ branch: string; folder: string; onto: string | null }>({
    exit: 63,
    message: ({ branch, folder }) =>
      `${branch} is checked out in ${folder}. CLEO moves this branch, so no folder may have it checked out.`,
    fix: ({ folder, onto }) =>
      `git -C ${shellQuote(folder)} switch ${onto === null ? '--detach' : shellQuote(onto)}`,
  }),
  'integration.moved': refusal<{ branch: string; is: string; was: string }>({
    exit: 24,
    message: ({ branch, is, was }) =>
      `Another program has moved ${branch} from ${was.slice(0, 9)} to ${is.slice(0, 9)}. CLEO has not checked the commits that were added.`,
    fix: () => 'cleo doctor --fix',
    alternatives: ({ branch }) => [
      `With --fix, doctor saves the added commits below refs/cleo/moved and moves ${branch} back.`,
    ],
  }),
  'integration.lost': refusal<{ branch: string; commit: string }>({
    exit: 24,
    message: ({ branch, commit }) =>
      `The branch ${branch} and its last commit ${commit.slice(0, 9)} are gone. This repository does not contain the work of the epic.`,
    fix: () => 'cleo doctor',
  }),
  'integration.failed': refusal<{ branch: string; why: string }>({
    exit: 3,
    message: ({ branch, why }) => `Git cannot write the branch ${branch}: ${why}.`,
    fix: () => 'cleo doctor',
  }),
  'checkout.busy': refusal<{ folder: string; doing: string }>({
    exit: 63,
    message: ({ folder, doing }) => `A ${doing} is in progress in ${folder}.`,
    fix: ({ folder }) => `git -C ${shellQuote(folder)} status`,
    alternatives: ({ doing }) => [`Finish or abort the ${doing}, then run the same command again.`],
  }),
  'merge.conflict': refusal<{
    task: string
    spawn: string
    files: readonly string[]
    others: readonly string[]
    branch: string
  }>({
    exit: 23,
    message: ({ task, files, others, branch }) =>
      `${task} conflicts${others.length > 0 ? ` with ${listIds(others)}` : ''} in ${firstFiles(files)}. The work of ${task} is safe on ${branch}.`,
    fix: ({ task }) => `cleo respawn ${task} --ref`,
  }),
  'merge.red': refusal<{ task: string; into: string; branch: string; problems: Problem[] }>({
    exit: 24,
    message: ({ task, into, branch, problems }) =>
      `${problems[0]?.path ?? 'A check'} passes on ${branch} but fails after the merge into ${into}${logOf(problems)}. The work of ${task} is safe on ${branch}.`,
    fix: ({ task }) => `cleo respawn ${task} --ref`,
  }),
  'merge.failed': refusal<{ task: string; into: string; why: string }>({
    exit: 3,
    message: ({ task, into, why }) => `${task} was not merged into ${into}: ${why}. Nothing was changed.`,
    fix: () => 'cleo doctor',
  }),
  'merge.lost': refusal<{ task: string; spawn: string; branch: string }>({
    exit: 23,
    message: ({ spawn, branch }) => `The branch ${branch} is gone, so the work of ${spawn} cannot be merged.`,
    fix: ({ task }) => `cleo respawn ${task} --ref`,
  }),
  'land.none': refusal<{ epic: string; noGit?: boolean }>({
    exit: 6,
    message: ({ epic, noGit }) =>
      noGit
        ? `There is nothing to land: this folder is no git repository, so the work of ${epic} is already in it.`
        : `${epic} has no integration branch: none of its work was merged, or all of it has landed.`,
    fix: ({ epic }) => `cleo status ${epic}`,
  }),
  'land.part': refusal<{ id: string; root: string }>({
    exit: 6,
    message: ({ id, root }) => `${id} is part of ${root}. cleo land takes an epic, not a single task.`,
    fix: ({ root }) => `cleo land ${root} --dry-run`,
  }),
  'land.nowhere': refusal<{ epic: string; branch: string | undefined }>({
    exit: 6,
    message: ({ epic }) =>
      `CLEO does not know where to land ${epic}: no branch was checked out when its first task was spawned.`,
    fix: ({ epic, branch }) => `cleo land ${epic} --onto ${shellQuote(branch ?? 'main')}`,
  }),
  'land.branch': refusal<{ onto: string; why: string }>({
    exit: 4,
    message: ({ onto, why }) => `Nothing can land on ${onto}: ${why}.`,
    fix: () => 'git branch --list',
  }),
  'land.elsewhere': refusal<{ folder: string; is: string | undefined; onto: string; epic: string }>({
    exit: 6,
    message: ({ folder, is, onto, epic }) =>
      `${folder} has ${is === undefined ? 'no branch' : `the branch ${is}`} checked out, but the work of ${epic} lands on ${onto}.`,
    fix: ({ folder, onto }) => `git -C ${shellQuote(folder)} switch ${shellQuote(onto)}`,
    alternatives: ({ is, onto, epic }) => [
      is === undefined
        ? `To move ${onto} without checking it out: cleo land ${epic} --onto ${shellQuote(onto)}`
        : `To land on ${is} instead: cleo land ${epic} --onto ${shellQuote(is)}`,
    ],
  }),
  'land.dirty': refusal<{ folder: string; files: readonly string[] }>({
    exit: 6,
    message: ({ folder, files }) =>
      `${folder} has uncommitted changes to tracked files: ${firstFiles(files)}.`,
    fix: ({ folder }) => `git -C ${shellQuote(folder)} status`,
    alternatives: () => ['Commit the changes, then run the same command again.'],
  }),
  'land.overwrites': refusal<{
    folder: string
    files: readonly string[]
    /** The files and folders that the fix puts into the stash. Set only if tools wrote all of `files`. */
    generated?: readonly string[]
  }>({
    exit: 6,
    message: ({ folder, files }) =>
      `Landing would overwrite files in ${folder} that are not in git: ${firstFiles(files)}.`,
    // Advise a stash, because it also takes ignored files and loses no file. Never advise to commit these files,
    // because they would conflict with the same files in the landed work. Never advise to copy them inside the
    // folder, because the copy could get into a later commit.
    fix: ({ folder, files, generated = files }) =>
      generated.length > mostPutAway
        ? `git -C ${shellQuote(folder)} status`
        : `git -C ${shellQuote(folder)} stash push --all -- ${generated.map(shellQuote).join(' ')}`,
    alternatives: ({ generated }) => [
      `${generated ? 'Delete these files instead; tools write them again' : 'Move these files away instead'}. Then run the same command again.`,
    ],
  }),
  'land.conflict': refusal<{ branch: string; onto: string; epic: string; files: readonly string[] }>({
    exit: 23,
    message: ({ branch, onto, files }) =>
      `${branch} conflicts with ${onto} in ${firstFiles(files)}. Nothing was changed.`,
    fix: ({ branch }) => `git merge ${branch}`,
    alternatives: ({ onto, epic }) => [
      `After git merge, resolve the conflict on ${onto} and commit. Then run cleo land ${epic} again to record that the work has landed.`,
      `An agent can resolve the conflict: add a task to ${epic} in which the agent merges ${onto}. When the task is done, run cleo land ${epic} --update.`,
    ],
  }),
  'land.red': refusal<{ branch: string; onto: string; epic: string; problems: Problem[] }>({
    exit: 24,
    message: ({ branch, onto, problems }) =>
      `${problems[0]?.path ?? 'A check'} fails when ${branch} is merged with ${onto}${logOf(problems)}. Nothing was changed.`,
    fix: ({ epic, onto }) =>
      `cleo add ${shellQuote(`Make the checks pass together with ${onto}`)} --parent ${epic} --description ${shellQuote(`Merge ${onto} and correct what fails.`)}`,
    alternatives: ({ epic }) => [`If ${epic} is done, first run: cleo reopen ${epic} --reason "checks fail"`],
  }),
  'land.failed': refusal<{ branch: string; onto: string; why: string }>({
    exit: 3,
    message: ({ branch, onto, why }) => `${branch} was not merged with ${onto}: ${why}.`,
    fix: () => 'cleo doctor',
  }),
})

const mostFiles = 3
const mostPutAway = 20

/** The last line of the check's message names the log. */
const logOf = ([first]: readonly Problem[]): string => {
  const log = first?.message.trim().split('\n').at(-1)
  return log?.startsWith('log: ') ? ` (${log})` : ''
}

const firstFiles = (files: readonly string[]): string => {
  const more = files.length - mostFiles
  return `${files
    .slice(0, mostFiles)
    .map((file) => printable(file))
    .join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
