import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import type { ProcessResult } from '../host/host.ts'
import type { Tool } from '../kernel/config-words.ts'
import { type Gate, toolsFor } from '../kernel/protocol.ts'
import type { Context } from '../operation/context.ts'
import { runByAgent } from '../project/people.ts'
import { type AllowedCommand, allowedCommands } from '../project-commands/allowed-command.ts'
import { runCommand, secondsAllowed } from '../project-commands/run-command.ts'
import { endingOf, lastLines, writeLog } from '../project-commands/run-log.ts'
import { askTrust } from '../questions/ask.ts'
import { contradictionIn, printedCounts, skippedByMake } from '../test-reports/printed-counts.ts'
import { worktreeVariables } from '../worktrees/ports.ts'
import { type Evidence, filesMadeByRuns } from './evidence.ts'
import { type EvidenceFolder, folderAtCommit } from './evidence-folder.ts'
import type { Observations, ObservedTool } from './observed-atom.ts'
import { type Baseline, pinsOf, termsOf } from './spawn-terms.ts'
import { asFlag } from './verify-line.ts'
import type { FolderWatch, WatchedFiles } from './watch-folder.ts'

interface ToolsToRun {
  tools: readonly Tool[]
  task: string
  gate?: Gate
  spawn?: SpawnRow
  /** The newest evidence for each gate and criterion of the task. */
  rows: readonly Evidence[]
  /** Collects the problems that must be solved before a command may run. */
  beforeRun(): Promise<void>
  /** The files of the repository at the time when they were compared with HEAD; undefined without git. */
  before?: WatchedFiles
}

/**
 * Runs the commands of the named tools, but only if no problem was found. A problem is, for example, a command that is
 * not allowed.
 */
export const runTools = async (
  context: Context,
  where: EvidenceFolder,
  { tools, task, gate, spawn, rows, beforeRun, before }: ToolsToRun,
  observed: Observations,
): Promise<void> => {
  const allowed = await allowedCommands(context, where.folder, pinsOf(spawn))
  const plans = tools.map((tool) => [tool, allowed(tool)] as const)
  for (const [tool, plan] of plans) {
    if (plan.state === 'refused') await noteRefusedTool(context, task, tool, plan, observed)
    if (plan.state === 'runs') observed.warnings.push(...plan.warnings)
    if (plan.state === 'none') noteMissingTool(tool, gate, allowed, observed)
  }
  if (plans.some(([, plan]) => plan.state === 'runs')) await beforeRun()
  if (observed.problems.length > 0) return
  const { watchFolder } = await import('./watch-folder.ts')
  const watch = watchFolder(context, where, { task, made: filesMadeByRuns(rows), before })
  for (const [tool, plan] of plans) {
    if (plan.state !== 'runs' || observed.failed) continue
    if (context.dryRun) {
      observed.warnings.push(`would run: ${plan.words.join(' ')}`)
      continue
    }
    const baseline = tool === 'test' && context.config.gates?.baseline ? termsOf(spawn)?.baseline : undefined
    const run = await runTool(context, where, {
      tool,
      words: plan.words,
      exclusive: plan.exclusive === true,
      ...variablesOf(spawn),
      name: spawn?.id ?? task,
      watch,
      ...(baseline && { baseline }),
    })
    observed.atoms.push(run.atom)
    // `run.tree` is set only without git. With git, `observed.tree` is already the tree of the commit.
    if (run.tree) observed.tree = run.tree
    observed.warnings.push(...run.warnings)
    if (run.failed) observed.failed = run.failed
    if (run.todo) observed.todo = run.todo
  }
}

/** The variables hold ports and names that no other worktree uses. */
export const variablesOf = (spawn: SpawnRow | undefined): { variables?: Record<string, string> } => {
  const { slot, portBase, composeProject } = optionsOf(spawn)?.tree ?? {}
  if (slot === undefined || portBase === undefined || composeProject === undefined) return {}
  return { variables: worktreeVariables({ slot, portBase, composeProject }) }
}

/**
 * Reports a command that is not allowed to run. If a person runs CLEO, says how to accept the command. If an agent
 * runs CLEO, asks a person in the inbox instead, because the agent could have changed the command itself. Until a
 * person answers, the agent can only submit the task as blocked.
 */
const noteRefusedTool = async (
  context: Context,
  task: string,
  tool: Tool,
  { why, personCanAccept, item }: Extract<AllowedCommand, { state: 'refused' }>,
  observed: Observations,
): Promise<void> => {
  const path = `tool:${tool}`
  if (!runByAgent(context.host, context.actor)) {
    observed.problems.push({ path, message: why, ...(personCanAccept && { fix: 'cleo trust' }) })
    return
  }
  const question = item && (await askTrust(context, task, item, why))
  const waits = question
    ? `. Question ${question} in the inbox asks a person, and this evidence waits for the answer`
    : ''
  const as = asFlag(context.actor)
  const fix = `cleo manifest append --status blocked --blocker "permission denied" --text "${question} in the inbox"${as}`
  observed.problems.push({ path, message: `${why}${waits}`, ...(question && as && { fix }) })
  if (question && !observed.questions.includes(question)) observed.questions.push(question)
}

/**
 * Handles a tool for which the project has no command. If another tool of the project can prove the gate, the caller
 * must use that tool. If no tool can prove the gate, the gate does not apply.
 */
const noteMissingTool = (
  tool: Tool,
  gate: Gate | undefined,
  allowed: (tool: Tool) => AllowedCommand,
  observed: Observations,
): void => {
  const others = (gate && toolsFor[gate]) ?? [tool]
  const available = others.find((other) => allowed(other).state !== 'none')
  if (gate && !available) {
    observed.isNa = true
    observed.atoms.push({ kind: 'tool', tool, command: '' })
    return
  }
  const instead = available ? `; it has tool:${available}` : ''
  observed.problems.push({
    path: `tool:${tool}`,
    message: `this project has no command for ${tool}${instead}`,
  })
}

const tailBytes = 16 * 1024
/** How many characters of output are stored with the evidence. The log file keeps `tailBytes` bytes. */
const keptTail = 2000

interface ToolRun {
  atom: ObservedTool
  failed?: string
  todo?: string
  warnings: string[]
  /** Hash of the folder's files; undefined with git. */
  tree?: string
}

interface ToolToRun {
  tool: Tool
  words: readonly string[]
  exclusive: boolean
  variables?: Record<string, string>
  /** The name of the log. */
  name: string
  /** Notices files that change during the run. Not needed in a folder that only this run uses. */
  watch?: FolderWatch
  /** The tests that failed before the spawn. Set if failing tests are compared with them. */
  baseline?: Baseline
}

const nothingSeen = { moved: undefined, made: [], tree: undefined, warnings: [] }

export const runTool = async (
  context: Context,
  where: Pick<EvidenceFolder, 'folder' | 'head'>,
  { tool, words: given, exclusive, name, watch, baseline, variables }: ToolToRun,
): Promise<ToolRun> => {
  const compare = baseline && (await import('./baseline.ts'))
  const words = compare ? compare.withoutFailFast(given) : given
  const seconds = secondsAllowed(context)
  watch?.begin()
  const most = compare ? compare.baselineBytes : tailBytes
  const ran = await runCommand(context, where.folder, words, most, { exclusive, variables })
  const { moved, made, tree, warnings } = (await watch?.end()) ?? nothingSeen
  const own = shortenPaths([...new Set([...made, ...(baseline?.made ?? [])])])
  const output = ran.end === 'not started' ? ran.reason : ran.tail
  const tail = output.slice(-tailBytes)
  const command = words.join(' ')
  const ending = endingOf(ran, seconds)
  const log = writeLog(context, name, `$ ${command}\n${folderAtCommit(where)}\n\n${tail}\n\n${ending}\n`)
  // The log is in the project's `.cleo` folder, which a worktree does not have. So give an agent in a worktree the
  // absolute path of the log.
  const shownLog = log && where.folder !== context.root ? `${context.root}/${log}` : log
  const counts = printedCounts(tail)
  const red = ran.end === 'exited' && ran.code !== 0
  const contradiction = red ? undefined : contradictionOf(tool, words, tail)
  const compared = compare && red ? compare.compareWithBaseline(baseline, output) : undefined
  const accepted = compared?.isNew === false ? compared : undefined
  const isNew = compared?.isNew ? `, and ${compared.why}` : ''
  const failed =
    ran.end !== 'exited' || (red && !accepted)
      ? `${command} ${ending} in ${folderAtCommit(where)}${isNew}${lastLines(tail, shownLog)}`
      : moved
        ? `${moved.what} while ${command} ran in ${folderAtCommit(where)}; ${moved.then}`
        : contradiction && `${command} exited with 0 in ${folderAtCommit(where)}, but ${contradiction}`
  return {
    atom: {
      kind: 'tool',
      tool,
      command,
      ...(ran.end === 'exited' && { exit: ran.code }),
      ...(counts && { counts }),
      ...(log && { log }),
      tail: tail.slice(-keptTail),
      ...(own.length > 0 && { made: own }),
      ...(accepted && { before: { failed: accepted.failed, by: accepted.by } }),
    },
    ...(failed && { failed, todo: todoFor(tool, words, ran, moved !== undefined && !red, shownLog) }),
    warnings: [
      ...warnings,
      ...(log ? [] : [`${context.folder}/test-runs is a link, so the output was not kept`]),
    ],
    ...(tree && { tree }),
  }
}

/**
 * A command can exit with 0 without doing its work. If the output shows this, returns the reason; otherwise returns
 * undefined. Builds are not checked, because a build can correctly report that there was nothing to build.
 */
const contradictionOf = (tool: Tool, words: readonly string[], output: string): string | undefined => {
  if (tool !== 'test' && tool !== 'lint' && tool !== 'typecheck') return undefined
  const skipped = skippedByMake(output, [...words, ...usualTargets])
  return (tool === 'test' ? contradictionIn(output) : undefined) ?? skipped
}

const usualTargets = ['test', 'tests', 'check', 'lint', 'typecheck']

/** Returns what to do about a failed run. Until that is done, the same command would fail again. */
const todoFor = (
  tool: Tool,
  words: readonly string[],
  ran: ProcessResult,
  hasMoved: boolean,
  log: string | undefined,
): string => {
  const other = `a person can choose another command: cleo config set commands.${tool} "…"`
  if (ran.end === 'not started') return `install ${words[0]}, or ${other}`
  if (ran.end === 'timed out') return 'make it faster, or a person can raise gates.timeout'
  const missing = ran.end === 'exited' && /No module named '?([\w.]+)/.exec(ran.tail)?.[1]
  if (missing && words.includes(missing)) return `install ${missing} for ${words[0]}, or ${other}`
  if (hasMoved)
    return 'wait until nothing else changes these files; if the command itself rewrites them, remove them from git'
  return `correct what failed${log ? ` (see ${log})` : ''}`
}

const mostNames = 200

const shortenPaths = (paths: readonly string[]): string[] => {
  if (paths.length <= mostNames) return [...paths]
  const folders = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1) || path))]
  if (folders.length <= mostNames) return folders
  return [...new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : path)))]
}
