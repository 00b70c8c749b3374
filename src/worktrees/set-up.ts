import { topOfRepository } from '../git/repository.ts'
import type { ProcessResult } from '../host/host.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { stateOf } from '../project/trust-records.ts'
import { runCommand, secondsAllowed } from '../project-commands/run-command.ts'
import { endingOf, lastLines, writeLog } from '../project-commands/run-log.ts'
import { copyFiles, copyProblem, matchingFiles } from './copy-files.ts'
import { projectFolderIn } from './place.ts'
import { type WorktreeNumbers, worktreeVariables } from './ports.ts'
import { itemsOfStep, type SetUp, type SetUpStep, setUpOf } from './set-up-trust.ts'

export interface NewWorktree extends WorktreeNumbers {
  spawn: string
  /** The top of the worktree. */
  folder: string
}

interface SetUpDone {
  ran: string[]
  /** The logs of the commands, relative to the project. */
  logs: string[]
}

/**
 * Prepares a new worktree for the project's checks: copies ignored files of the main checkout and runs the set-up
 * commands. Copies and runs only what a person has trusted, and warns about the rest.
 */
export const setUpWorktree = async (
  project: Project,
  worktree: NewWorktree,
): Promise<Result<SetUpDone, 'worktree.setup' | 'path.outside'>> => {
  const work = projectFolderIn(project, worktree.folder)
  const setUp = setUpOf(project, work)
  const copies = project.config.worktrees?.copy ?? []
  const outside = copyProblem(project.root, work, copies)
  if (outside) return outside
  const { steps, patterns, warnings } = trustedPart(project, setUp)
  const matched = patterns.length > 0 ? await matchingFiles(project.host, project.root, patterns) : []
  const isListed = steps.length > 0 || copies.length > 0 || matched.length > 0
  const installed = isListed ? [] : dependencyFolders(project, work)
  warnings.push(...(await copyFiles(project, work, [...new Set([...copies, ...matched, ...installed])])))
  const settings = gitSettings(project)
  const done: SetUpDone = { ran: [], logs: [] }
  for (const step of steps) {
    const ran = await runStep(project, worktree, work, step)
    if (ran.log) done.logs.push(ran.log)
    if (ran.failed) return ran.failed
    done.ran.push(ran.command)
  }
  if (gitSettings(project) !== settings)
    warnings.push(`the set-up of ${worktree.spawn} changed .git/config, which all worktrees share`)
  return ok(done, { warnings })
}

const installFolders = ['node_modules', '.venv', 'venv']

/** These folders are copied only if no setting and no file says how to set up a worktree. */
const dependencyFolders = ({ host, root }: Project, work: string): string[] =>
  installFolders.filter(
    (name) =>
      host.files.kind(`${root}/${name}`) === 'folder' && host.files.kind(`${work}/${name}`) === undefined,
  )

const gitSettings = ({ host, root }: Project): string | undefined => {
  const path = `${topOfRepository(host, root)}/.git/config`
  return host.files.kind(path) === 'file' ? host.files.read(path) : undefined
}

interface TrustedPart {
  steps: SetUpStep[]
  patterns: string[]
  warnings: string[]
}

/** Returns either all commands or none, because a command can need the results of an earlier one. */
const trustedPart = (project: Project, { steps, copies }: SetUp): TrustedPart => {
  const state = stateOf(project)
  const isOwn = project.written.worktrees?.setup !== undefined
  const removed = (project.config.untrusted ?? []).some(({ name }) => name === 'worktrees.setup')
  const isTrusted = !removed && steps.flatMap(itemsOfStep).every((item) => state(item) === 'trusted')
  const accepted = copies.filter(({ item }) => state(item) === 'trusted')
  const left = [
    ...(isTrusted ? [] : [isOwn || removed ? 'worktrees.setup' : `set-up from ${steps[0]!.source}`]),
    ...copies.flatMap((each) => (accepted.includes(each) ? [] : [`copies from ${each.list.source}`])),
  ]
  const warning = `the worktree was made without these untrusted parts: ${left.join(', ')}; a person can trust them: cleo trust`
  return {
    steps: isTrusted ? steps : [],
    patterns: accepted.flatMap(({ list }) => list.patterns),
    warnings: left.length > 0 ? [warning] : [],
  }
}

const tailBytes = 16 * 1024

/** Variables that keep programs from changing git's hooks and settings, which all worktrees share. */
const withoutHooks = {
  HUSKY: '0',
  LEFTHOOK: '0',
  SKIP_INSTALL_SIMPLE_GIT_HOOKS: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.hooksPath',
  GIT_CONFIG_VALUE_0: '/dev/null',
}

interface RanStep {
  command: string
  log?: string
  failed?: Failure<'worktree.setup'>
}

const runStep = async (
  project: Project,
  worktree: NewWorktree,
  work: string,
  { words, exclusive, source, variables }: SetUpStep,
): Promise<RanStep> => {
  const { spawn, folder } = worktree
  // For the script of another tool, show only the name of its file, because the script has many lines.
  const command = variables ? `the script in ${source}` : words.join(' ')
  const ran: ProcessResult = await runCommand(project, work, words, tailBytes, {
    variables: {
      ...variables,
      ...withoutHooks,
      // If the worktree has lost its `.git`, git must not use a repository in a folder above.
      GIT_CEILING_DIRECTORIES: folder.slice(0, folder.lastIndexOf('/')) || '/',
      ...worktreeVariables(worktree),
    },
    exclusive: exclusive === true,
    what: command,
  })
  const ending = endingOf(ran, secondsAllowed(project))
  const tail = ran.end === 'not started' ? '' : ran.tail
  const text = `$ ${words.join(' ')}\n${work}, from ${source}\n\n${tail}\n\n${ending}\n`
  const log = writeLog(project, `${spawn}-set-up`, text)
  if (ran.end === 'exited' && ran.code === 0) return { command, ...(log && { log }) }
  const failed = fail('worktree.setup', {
    spawn,
    command,
    ending,
    ...(ran.end === 'exited' && { exit: ran.code }),
    lines: lastLines(tail, log),
    ...(log && { log }),
    setting: 'worktrees.setup',
  })
  return { command, ...(log && { log }), failed }
}
