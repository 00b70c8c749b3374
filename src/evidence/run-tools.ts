import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { ProcessResult } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import type { Tool } from '../kernel/config-words.ts'
import { printable } from '../kernel/print/printable.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Context } from '../operation/context.ts'
import { type AllowedCommand, allowedCommands } from '../project-commands/allowed-command.ts'
import { contradictionIn, printedCounts } from '../test-reports/printed-counts.ts'
import { type EvidenceFolder, folderAtCommit, gitProblems } from './evidence-folder.ts'
import { toolsFor } from './gate-rules.ts'
import type { Observations, ObservedTool } from './observed-atom.ts'
import { isOutsideWork } from './recheck.ts'
import { pinsOf } from './spawn-terms.ts'

interface ToolsToRun {
  tools: readonly Tool[]
  task: string
  gate?: Gate
  spawn?: SpawnRow
  /** Untracked files that earlier runs wrote. */
  made: readonly string[]
}

/** Runs the commands of the named tools, but only if all of these commands are allowed. */
export const runTools = async (
  context: Context,
  where: EvidenceFolder,
  { tools, task, gate, spawn, made }: ToolsToRun,
  observed: Observations,
): Promise<void> => {
  const allowed = await allowedCommands(context, where.folder, pinsOf(spawn))
  const plans = tools.map((tool) => [tool, allowed(tool)] as const)
  for (const [tool, plan] of plans) {
    if (plan.state === 'refused')
      observed.problems.push({
        path: `tool:${tool}`,
        message: plan.why,
        ...(plan.personCanAccept && { fix: 'cleo trust' }),
      })
    if (plan.state === 'runs') observed.warnings.push(...plan.warnings)
    if (plan.state === 'none') noteMissingTool(tool, gate, allowed, observed)
  }
  if (observed.problems.length > 0) return
  for (const [tool, plan] of plans) {
    if (plan.state !== 'runs' || observed.failed) continue
    if (context.dryRun) {
      observed.warnings.push(`would run: ${plan.words.join(' ')}`)
      continue
    }
    const run = await runTool(context, where, { tool, words: plan.words, name: spawn?.id ?? task, made })
    observed.atoms.push(run.atom)
    observed.tree = run.tree
    if (run.warning) observed.warnings.push(run.warning)
    if (run.failed) observed.failed = run.failed
  }
}

/**
 * Handles a tool for which the project has no command. If the project has another tool that can prove the gate, the
 * caller must use that tool; if it has none, the gate does not apply.
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

const defaultSeconds = 600
const tailBytes = 16 * 1024
/** How many characters of output are stored in the evidence itself; the log file has more. */
const keptTail = 2000

interface ToolRun {
  atom: ObservedTool
  /** Why the run failed; undefined if it succeeded. */
  failed?: string
  warning?: string
  /** Hash of the folder's files, if they did not change during the run. */
  tree?: string
}

/** Runs a command of the project in the evidence folder and returns how it ended, with counts, files and output. */
const runTool = async (
  context: Context,
  where: EvidenceFolder,
  {
    tool,
    words,
    name,
    made,
  }: { tool: Tool; words: readonly string[]; name: string; made: readonly string[] },
): Promise<ToolRun> => {
  const { differences, treeAt, treeHash } = await import('../host/work-tree.ts')
  const readTree = () => treeAt(where.folder, where.git, isOutsideWork(context, where.folder))
  const seconds = context.config.gates?.timeout ?? defaultSeconds
  const before = await readTree()
  const [gitProblem] = gitProblems(where)
  if (gitProblem)
    return { atom: { kind: 'tool', tool, command: words.join(' ') }, failed: gitProblem.message }
  const [program, ...args] = words as [string, ...string[]]
  const ran = await context.host.processes.run(program, args, {
    cwd: where.folder,
    // The program gets no terminal and no input. CI=true keeps it from prompting and from watching files.
    env: { ...childEnvironment(context.host.env), CI: 'true' },
    input: '',
    timeoutMs: seconds * 1000,
    maxBytes: tailBytes,
  })
  const after = await readTree()
  const changes = before && after ? differences(before, after) : []
  const own = shortenPaths(changes.flatMap(({ path, tracked }) => (tracked ? [] : [path])))
  const tail = ran.end === 'not started' ? ran.reason : ran.tail
  const command = words.join(' ')
  const ending = endingOf(ran, seconds)
  const log = writeLog(context, name, `$ ${command}\n${folderAtCommit(where)}\n\n${tail}\n\n${ending}\n`)
  const counts = printedCounts(tail)
  const contradiction = tool === 'test' ? contradictionIn(tail) : undefined
  const moved = changes.flatMap(({ path, tracked }) => (tracked ? [path] : []))
  const failed =
    ran.end !== 'exited' || ran.code !== 0
      ? `${command} ${ending} in ${folderAtCommit(where)}${lastLines(tail, log)}`
      : !after || moved.length > 0
        ? `${moved[0] ?? 'something'} changed while ${command} ran in ${folderAtCommit(where)}; run it again`
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
    },
    ...(failed && { failed }),
    ...(!log && { warning: `${context.folder}/test-runs is a link, so the output was not kept` }),
    ...(after && { tree: treeHash(after, [...made, ...own]) }),
  }
}

const endingOf = (ran: ProcessResult, seconds: number): string => {
  if (ran.end === 'exited') return `exited with ${ran.code}`
  if (ran.end === 'timed out') return `was stopped after ${seconds} seconds`
  return ran.end === 'not started' ? `could not be started: ${ran.reason}` : 'was stopped'
}

const lastLines = (tail: string, log: string | undefined): string => {
  const lines = tail.trimEnd().split('\n').slice(-8).join('\n').slice(-800)
  const all = [...(lines === '' ? [] : [printable(lines, true)]), ...(log ? [`log: ${log}`] : [])]
  return all.length > 0 ? `:\n${all.join('\n')}` : ''
}

const mostNames = 200

/** Returns the paths, or only their folders if there are too many paths. */
const shortenPaths = (paths: readonly string[]): string[] => {
  if (paths.length <= mostNames) return [...paths]
  const folders = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1) || path))]
  if (folders.length <= mostNames) return folders
  return [...new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : path)))]
}

/** Writes a log under the next free number and returns its path; undefined if a symbolic link leads elsewhere. */
const writeLog = ({ host, folder, root }: Context, name: string, text: string): string | undefined => {
  const runs = `${folder}/test-runs`
  if (host.files.kind(runs) === undefined) host.files.makeFolder(runs, 0o700)
  if (host.files.realPath(runs) !== `${host.files.realPath(folder)}/test-runs`) return undefined
  for (let n = 1; ; n++) {
    const path = `${runs}/${name}-${n}.log`
    if (host.files.writeNew(path, text, 0o600)) return path.slice(root.length + 1)
  }
}
