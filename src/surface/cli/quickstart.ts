import { basename } from 'node:path'
import { hasRepository, headOf } from '../../git/repository.ts'
import { clientCommands } from '../../help/client-commands.ts'
import type { Host } from '../../host/host.ts'
import { stateFolder } from '../../host/user-folders.ts'
import { fail } from '../../kernel/result.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { findProject } from '../../project/find-project.ts'
import { outerProjectAt } from '../../project/lost-project.ts'
import { readInFull } from '../../terminal/read-in-full.ts'
import { styleFor, type Terminal } from '../../terminal/terminal.ts'
import { printHuman } from './human.ts'
import { announcing, withoutNext } from './quickstart-output.ts'
import {
  epicSteps,
  type Line,
  label,
  type Names,
  type QuickstartPlace,
  type QuickstartStep,
  type ScratchPlace,
  scratchSteps,
  script,
  typed,
} from './quickstart-steps.ts'

export interface Quickstart {
  host: Host
  terminal: Terminal
  run(argv: readonly string[], host: Host, terminal: Terminal): Promise<number>
  /** Returns the next line that the person types; undefined at the end of input. Not set if there is no terminal. */
  ask?: () => string | undefined
}

const quickstartHelp = [
  clientCommands.quickstart.summary,
  '',
  '  cleo quickstart [--here]',
  '',
  '  --here  use the project of this folder, not a scratch project in ~/cleo-quickstart',
  '',
  'Each step shows its commands before it runs them. Leave at any time with q; run the same command again to continue.',
  'In a pipe, cleo quickstart prints the steps as a shell script:',
  '',
  '  $ cleo quickstart | less',
]

export const quickstart = async (argv: readonly string[], given: Quickstart): Promise<number> => {
  const { host, terminal, ask } = given
  if (argv.includes('--help') || argv.includes('-h')) {
    terminal.out(`${quickstartHelp.join('\n')}\n`)
    return 0
  }
  const problems = argv
    .filter((word) => word !== '--here' || !ask)
    .map((word) => ({
      path: word,
      message: word === '--here' ? '--here needs a terminal.' : `Unexpected argument ${word}.`,
    }))
  if (problems.length > 0) {
    const refusal = fail('usage.invalid', { command: 'quickstart', problems })
    await printHuman({ common: {}, host, terminal }, undefined, refusal)
    return refusal.exit
  }
  if (ask) return lead({ ...given, ask }, argv.includes('--here'))
  terminal.out(script())
  return 0
}

/** Facts about what already exists. They decide which steps are left. */
interface QuickstartState extends QuickstartPlace, ScratchPlace {
  landed: boolean
  root: string
  hasProject: boolean
  epic?: string
  task?: string
  spawn?: string
  folder?: string
  status?: string
  merge?: string
}

const lead = async (given: Required<Quickstart>, isHere: boolean): Promise<number> => {
  const { host, terminal, ask } = given
  const style = styleFor(host.env, terminal)
  const root = isHere ? (await findProject(host)).root : `${host.home}/cleo-quickstart`
  if (isHere && !(await findProject(host)).found) {
    const refusal = fail('project.missing', { from: host.cwd })
    await printHuman({ common: {}, host, terminal }, undefined, refusal)
    return refusal.exit
  }
  const say = (sentence: string): void =>
    terminal.out(`${readInFull(sentence, '', style.width).join('\n')}\n`)
  say(
    `A first epic with CLEO, in ${isHere ? basename(root) : '~/cleo-quickstart'}. Each step shows its commands before it runs them.`,
  )
  if (!isHere) host.files.makeFolder(root, 0o755)
  for (let last: QuickstartStep | undefined; ; ) {
    const state = await read(given, root, !isHere)
    const next = nextStep(state)
    if (!next) break
    if (next.title === last?.title) {
      say('This step changed nothing. Do what is listed above, then run cleo quickstart again.')
      return 1
    }
    last = next
    terminal.out(
      [
        '',
        style.bold(next.title),
        ...next.text.flatMap((text) => readInFull(text, '', style.width)),
        ...shownLines(next, state).map((line) => `  ${style.cyan(`$ ${line}`)}`),
        '',
      ].join('\n'),
    )
    if (!(await wantsToRun(terminal, ask))) {
      terminal.out('\n')
      say(`Nothing is undone. Go on with: cleo quickstart${isHere ? ' --here' : ''}`)
      return 0
    }
    const exit = await runStep(given, next, state)
    if (exit !== 0) return exit
  }
  for (const sentence of ending(isHere ? undefined : placesOf(host, root))) say(sentence)
  return 0
}

/**
 * Asks until the answer is Enter or a word for leaving. Enter runs the step. Any other text might be a command for
 * the shell, so it does not count as a yes.
 */
const wantsToRun = async (terminal: Terminal, ask: Required<Quickstart>['ask']): Promise<boolean> => {
  for (;;) {
    terminal.out('Enter runs this, q leaves: ')
    await terminal.flush?.()
    const answer = ask()?.trim()
    if (answer === '') return true
    if (answer === undefined || /^(q|quit|n|no|exit)$/i.test(answer)) return false
  }
}

/** If the lines run in the worktree, a `cd` to it comes first. */
const shownLines = ({ lines }: QuickstartStep, { root, folder }: QuickstartState): string[] => {
  const isInside = folder !== undefined && folder !== root && lines.some((line) => line.in === 'worktree')
  return [...(isInside ? [`cd ${shellQuote(folder)}`] : []), ...lines.map(typed)]
}

/** The folders of the scratch project, as the end of a sentence. */
const placesOf = (host: Host, root: string): string => {
  const outer = outerProjectAt(host, root)?.folder
  return ['~/cleo-quickstart', ...(outer ? [fromHome(host, outer)] : [])].join(' and ')
}

const fromHome = ({ home }: Host, path: string): string =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path

const ending = (places: string | undefined): string[] => [
  '',
  'Done: an epic from the plan to the end, and a claim that was refused.',
  ...(places === undefined
    ? []
    : [
        `The project is in ${places} (worktrees and backups). Delete them when you no longer need them.`,
        '  next: cleo init, in a project of yours',
      ]),
  '  next: cleo setup, to let Claude Code, Codex or another client do these steps',
]

const nextStep = (state: QuickstartState): QuickstartStep | undefined => {
  const { hasProject, hasGit, isScratch, epic, task, spawn, status, merge } = state
  if (isScratch && !hasProject) return scratchSteps(state)[hasGit ? 1 : 0]
  const names: Names = { epic: epic ?? '', task: task ?? '', spawn: spawn ?? '' }
  const steps = epicSteps(names, state)
  if (!epic) return steps.epic
  if (!task) return steps.task
  if (status === 'done') {
    if (merge === 'pending') return steps.receive
    return merge === 'merged' && !state.landed ? steps.land : undefined
  }
  if (!spawn) return steps.spawn
  return status === 'active' ? steps.work : steps.claim
}

const runStep = async (
  given: Required<Quickstart>,
  step: QuickstartStep,
  { root, folder }: QuickstartState,
): Promise<number> => {
  const { host, terminal, run } = given
  for (const line of step.lines) {
    const cwd = (line.in === 'worktree' && folder) || root
    const shown =
      step.lines.length > 1
        ? announcing(terminal, styleFor(host.env, terminal).dim(`$ ${typed(line)}`))
        : terminal
    const exit =
      'sh' in line
        ? await runShell({ ...given, terminal: shown }, line, cwd)
        : await run(line.cleo, { ...host, cwd }, line.cleo[0] === 'init' ? withoutNext(shown) : shown)
    const expected = 'sh' in line ? 0 : (line.exit ?? 0)
    if (exit === expected || ('sh' in line && line.mayFail)) continue
    terminal.err('This step failed. When the problem is solved, cleo quickstart goes on with this step.\n')
    return exit || 1
  }
  return 0
}

const runShell = async (
  { host, terminal }: Quickstart,
  { sh }: Extract<Line, { sh: string }>,
  cwd: string,
): Promise<number> => {
  const env = Object.fromEntries(
    Object.entries(host.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const ended = await host.processes.run('sh', ['-c', sh], {
    ...{ cwd, env, input: '', timeoutMs: 60_000, maxBytes: 10_000 },
    heard: (text) => terminal.out(text),
  })
  if (ended.end === 'not started') terminal.err(`${ended.reason}\n`)
  return ended.end === 'exited' ? ended.code : 1
}

/**
 * Reads from the project which steps are done. Quickstart stores no progress of its own, so a person can stop and
 * continue at any time.
 */
const read = async (
  given: Required<Quickstart>,
  root: string,
  isScratch: boolean,
): Promise<QuickstartState> => {
  const { host } = given
  const inside = { ...host, cwd: root }
  const hasCommit = hasRepository(inside, root) && (await headOf(inside, root)) !== null
  const { root: found, found: isFound } = await findProject(inside)
  const state: QuickstartState = {
    root,
    isScratch,
    hasGit: hasCommit,
    hasProject: isFound && found === root,
    landed: false,
    state: fromHome(host, stateFolder(host) ?? '~/.local/state/cleo'),
    // True only if the whole scratch project was deleted. If the repository still has branches of CLEO, only `.cleo/`
    // was deleted, and `init` offers the backup.
    isAgain:
      outerProjectAt(host, root) !== undefined &&
      host.files.kind(`${root}/.git/refs/heads/cleo`) === undefined,
  }
  if (!state.hasProject) return state
  const answer = <T>(argv: string[]) => answerOf<T>(given, inside, argv)
  const listed = await answer<{ tasks: { id: string }[] }>(['list', '--all', '--label', label])
  const ids = (listed?.tasks ?? []).map(({ id }) => id).sort()
  const shown: ShownTask[] = []
  for (const id of ids.slice(-2)) {
    const task = await answer<ShownTask>(['show', id])
    if (task) shown.push(task)
  }
  const epic = shown.findLast(({ type }) => type === 'epic')
  const task = shown.findLast(({ parent }) => epic && parent === epic.id)
  if (!epic) return state
  const { spawn, status, merge } = task ?? {}
  return {
    ...state,
    epic: epic.id,
    ...(task && { task: task.id, status, merge }),
    ...(spawn && { spawn: spawn.id, folder: spawn.folder }),
    landed: host.files.kind(`${root}/.git/refs/heads/cleo/${epic.id}`) === undefined,
  }
}

interface ShownTask {
  id: string
  type: string
  parent?: string
  status: string
  merge?: string
  spawn?: { id: string; folder: string }
}

const answerOf = async <T>(
  { terminal, run }: Required<Quickstart>,
  host: Host,
  argv: readonly string[],
): Promise<T | undefined> => {
  let text = ''
  const silent: Terminal = {
    out: (more) => {
      text += more
    },
    err: () => undefined,
    ...{ elapsed: terminal.elapsed, isTerminal: false, isErrorTerminal: false, width: undefined },
  }
  const exit = await run([...argv, '--json'], host, silent)
  return exit === 0 ? (JSON.parse(text) as { data: T }).data : undefined
}
