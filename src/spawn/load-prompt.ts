import type { SpawnOptions } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { pinsOf } from '../evidence/spawn-terms.ts'
import { hasRepository } from '../git/repository.ts'
import { hmacSha256 } from '../host/sha256.ts'
import { isRun } from '../kernel/numbered-id.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Gate, Protocol } from '../kernel/protocol.ts'
import type { Fault } from '../kernel/result.ts'
import { priorities } from '../kernel/task.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Context, Project } from '../operation/context.ts'
import { manifestPath } from '../output/manifest-path.ts'
import { printable } from '../print/printable.ts'
import { projectSecret } from '../project/secret.ts'
import type { Pins } from '../project-commands/pin.ts'
import { type CommandChange, commandsForSpawn } from '../project-commands/spawn-commands.ts'
import { chooseNonce } from '../prompt/data-fence.ts'
import { type Limits, limitsOf } from '../prompt/fit-prompt.ts'
import type { Findings, PromptFacts } from '../prompt/prompt-facts.ts'
import { consensusWords, foundWords, taskWords } from '../prompt/task-context.ts'
import { type Lookups, lookupsFor, secretNameWarnings } from '../prompt/tokens/names.ts'
import { breachSentence } from '../receive/breach.ts'
import { inOrder, requiredGates } from '../standing/required-gates.ts'
import type { ChosenSkills } from './choose-skills.ts'
import { folders } from './folders.ts'
import { type GateChoice, keptGates } from './kept-gates.ts'
import { type LoadedTexts, loadTexts } from './load-texts.ts'
import { type TaskToSpawn, type taskCodes, taskFaults } from './task-to-spawn.ts'

type LoadCode = (typeof taskCodes)[number] | 'skill.missing' | 'skill.twice' | 'spawn.folder' | 'path.outside'

/** Everything that a prompt needs from files, git and configuration. Composing the prompt reads nothing else. */
export interface LoadedPrompt {
  /** Without the spawn id, which is chosen later. */
  facts: Omit<PromptFacts, 'spawnId'>
  texts: LoadedTexts
  /** The lookups need the spawn's id, because some values are commands for this spawn. */
  lookups(spawnId: string): Lookups
  nonce: string
  /** The folder where the agent works. */
  work: string
  /** The folder for the output file. */
  output: string
  limits: Limits
  /** The project's commands at the time of the spawn. Evidence is checked with these commands. */
  pins: Pins
  /** Commands that differ from the pins of the last spawn, if no person has accepted the change. */
  changes: CommandChange[]
  /** Why dispatch chose the protocol. */
  reason: string
  /** Skills that the caller might want to choose. */
  suggested: string[]
  /** Gates that this attempt keeps from an earlier attempt, although its own protocol does not require them. */
  kept: Gate[]
  faults: Fault<LoadCode>[]
  warnings: string[]
}

interface PromptSources {
  choice: GateChoice
  chosen: ChosenSkills
  /** The folder to read the project's commands from, if the work folder does not exist yet. */
  from?: string
}

export const loadPrompt = async (
  context: Context,
  task: TaskToSpawn,
  options: SpawnOptions,
  { choice, chosen, from }: PromptSources,
): Promise<LoadedPrompt> => {
  const { config, session, host } = context
  const { row, root } = task
  const { protocol } = chosen
  const stage = row.stage ?? protocol
  const tier = (options.tier ?? 1) as PromptFacts['tier']
  const {
    paths,
    output,
    faults: folderFaults,
  } = await folders(context, { id: row.id, title: row.title, epic: root.id }, options)
  const own = await commandsForSpawn(
    context,
    from ?? options.worktree ?? context.root,
    pinsOf(await spawns.newest(context.store)),
  )
  const missing = await readMissing(context, options.references ?? [])
  const breach = options.breach === undefined ? undefined : breachSentence(options.breach, row.id)
  const required = requiredGates(protocol, stage, config)
  const kept = keptGates(task.binding, { protocol, stage: row.stage, gates: required }, choice, config)
  const facts: LoadedPrompt['facts'] = {
    task: taskFacts(task),
    epic: { id: root.id, title: root.title },
    depends: task.depends,
    findings: findingsFor(context, task),
    ...(missing.files.length > 0 && { references: missing.files }),
    ...(breach && { breach: breach.breach }),
    ...(breach?.quoted && { breachQuote: breach.quoted }),
    ...(task.consensus &&
      (task.consensus.voter || protocol === 'consensus') && { consensus: task.consensus }),
    protocol,
    ...(chosen.inAgentFile && { inAgentFile: chosen.inAgentFile }),
    stage,
    tier,
    gates: inOrder([...required, ...kept]),
    commands: own.commands,
    git: hasRepository(host, from ?? paths.work),
    paths,
    ...(options.worktree !== undefined && { worktree: { ...options.tree, folder: paths.work } }),
    ...fallbackOf(context),
    ...(session && { session: session.id }),
    ...(isRun(context.actor.id) && { inRun: true }),
  }
  const texts = await loadTexts(context, { protocol, stage, tier }, chosen.skills)
  const date = new Date(host.now()).toISOString().slice(0, 10)
  return {
    facts,
    texts,
    lookups: (spawnId) =>
      lookupsFor({ ...facts, spawnId }, { config, env: host.env, set: options.set, date }),
    work: options.worktree ?? context.root,
    output,
    limits: limitsOf(config),
    pins: own.pins,
    changes: own.changes,
    reason: chosen.reason,
    suggested: chosen.suggested,
    kept,
    nonce: nonceFor(await projectSecret(context), foreignIn(facts, texts)),
    faults: [...(await taskFaults(context.store, task, config)), ...chosen.faults, ...folderFaults],
    warnings: [
      ...chosen.warnings,
      ...withoutVote(task, protocol),
      ...own.warnings,
      ...missing.warnings,
      ...texts.warnings,
      ...secretNameWarnings(config),
    ],
  }
}

/** Returns the path of the base protocol that `cleo setup --user` writes, if that file exists. */
const fallbackOf = ({ host }: Project): Pick<PromptFacts, 'fallback'> => {
  const path = `${host.home}/.cleo/templates/CLEO-INJECTION.md`
  return host.files.sizeSeen(path) > 0 ? { fallback: printable(path) } : {}
}

/** An agent cannot hold a vote alone. */
const withoutVote = ({ row, consensus }: TaskToSpawn, protocol: Protocol): string[] =>
  protocol === 'consensus' && !consensus
    ? [
        `no vote is open on ${row.id}: cleo consensus open ${row.id} --question "…" --option "…" --option "…" --voters 3`,
      ]
    : []

const taskFacts = ({ row, labels, files, criteria, notes }: TaskToSpawn): PromptFacts['task'] => ({
  id: row.id,
  title: row.title,
  description: row.description,
  type: row.type,
  size: row.size,
  priority: priorities[row.priority]!,
  labels,
  files,
  criteria,
  notes,
})

/** The most bytes that `readMissing` reads, for all files together. The agent has to read larger files itself. */
const mostBytes = 16 * 1024

/** Leaves out secrets, links and files outside the project. */
const readMissing = async ({ host, root }: Project, paths: readonly string[]) => {
  const files: { path: string; text: string }[] = []
  const warnings: string[] = []
  let left = mostBytes
  for (const path of paths) {
    const read = await host.files.readInside(root, path, left)
    if (read.ok) {
      files.push({ path: read.path, text: read.text })
      left -= read.bytes
    } else
      warnings.push(`${printable(path)}, which the last attempt was missing, is left out: it ${read.why}`)
  }
  return { files, warnings }
}

const foreignIn = (facts: LoadedPrompt['facts'], { foreign }: LoadedTexts): string[] => [
  taskWords(facts),
  ...facts.findings.map(foundWords),
  ...(facts.references ?? []).map(({ text }) => text),
  ...(facts.breachQuote ? [facts.breachQuote] : []),
  ...(facts.consensus ? Object.values(consensusWords(facts.consensus)) : []),
  ...foreign,
]

/** Derives the nonce of the fences from the fenced texts, so that the same inputs give the same prompt. */
const nonceFor = (secret: string, texts: readonly string[]): string =>
  chooseNonce(texts, (n) => hmacSha256(secret, [String(n), ...texts]).slice(0, 8))

/** The findings come from entries that are linked to the task, and from entries of its dependencies. */
const findingsFor = (context: Context, { entries, decisions, depends }: TaskToSpawn): Findings[] => [
  ...entries.map((entry) => ({
    ...findingsOf(context, entry),
    ...(!depends.some(({ id }) => id === entry.task) && { linked: true }),
  })),
  ...decisions,
]

const findingsOf = (project: Project, entry: EntryRow): Findings => {
  const { key_findings, file } = JSON.parse(entry.body) as { key_findings?: unknown; file?: unknown }
  const lines = Array.isArray(key_findings) ? key_findings.filter((line) => typeof line === 'string') : []
  const path = typeof file === 'string' ? fileOf(project, entry, file) : undefined
  const { task, status } = entry
  return { task, status, lines, ...(path !== undefined && { file: printable(path) }) }
}

/** Looks in the project and in the worktree where the entry was submitted. Does not open the file. */
const fileOf = (project: Project, { place }: EntryRow, file: string): string | undefined => {
  for (const folder of new Set([project.root, place || project.root])) {
    const path = resolvePath(folder, `${manifestPath(project)}/../${file}`)
    if (isBelow(folder, path) && project.host.files.sizeSeen(path) > 0) return path
  }
  return undefined
}
