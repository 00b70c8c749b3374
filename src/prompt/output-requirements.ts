import type { WorktreeOrigin } from '../claims/sql/spawns.ts'
import { type Gate, toolsFor } from '../kernel/protocol.ts'
import { returnLines, returnWords } from '../kernel/return-line.ts'
import { voteLine } from '../kernel/vote-line.ts'
import { isPlainWord } from '../print/plain-path.ts'
import { printable } from '../print/printable.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { ConsensusFacts, PromptFacts, WorktreeFacts } from './prompt-facts.ts'

/**
 * Returns the section `## Output Requirements`: the commands that this subagent runs, in order, and the lines that it
 * may return.
 */
export const outputRequirements = (facts: PromptFacts): string =>
  [
    start(facts),
    outputFile(facts),
    ...(facts.consensus ? [vote(facts.consensus, facts)] : []),
    ...(facts.protocol === 'decomposition' ? [newTasks(facts)] : []),
    entry(facts),
    evidence(facts),
    ...quality(facts),
    returns(facts),
  ].join('\n')

const start = (facts: PromptFacts): string => {
  const { paths, worktree, task, spawnId } = facts
  const folder = isPlainWord(paths.work) ? paths.work : 'the folder `work in` of File Paths'
  return [
    '## Output Requirements',
    `Work in  ${folder}${worktree ? origin(worktree) : ''}`,
    ...(worktree ? [environmentLine(worktree)] : []),
    `First:   cleo focus set ${task.id} --as ${spawnId}  # makes the output file`,
  ]
    .filter(Boolean)
    .join('\n')
}

/**
 * A branch that CLEO did not make can have any name, so branch and base are shown only if both consist of plain
 * characters.
 */
const origin = ({ branch, base }: WorktreeFacts): string => {
  const words = [branch && `branch ${branch}`, base && `from ${base}`].filter(Boolean)
  return words.length > 0 && [branch, base].every((name) => name === undefined || isPlainWord(name))
    ? `   (${words.join(', ')})`
    : ''
}

/**
 * Returns the prompt in the form that is hashed: without slot, ports and other values that differ for each worktree.
 */
export const withoutEnvironment = (prompt: string, worktree: WorktreeOrigin | undefined): string => {
  const line = worktree && environmentLine(worktree)
  return line ? prompt.replace(`${line}\n`, '') : prompt
}

/**
 * Takes a prompt that contains the slot, the ports and the Compose project of the worktree `other`. Replaces these
 * values with those of the worktree `own`.
 */
export const withNumbersOf = (
  own: WorktreeOrigin | undefined,
  prompt: string,
  other: WorktreeOrigin | undefined,
): string => {
  const line = other && environmentLine(other)
  // Take the last occurrence of the line. An earlier one can be in the text of the task, which comes before this
  // section.
  const at = line ? prompt.lastIndexOf(`\n${line}\n`) : -1
  return own && line && at >= 0
    ? `${prompt.slice(0, at + 1)}${environmentLine(own)}${prompt.slice(at + 1 + line.length)}`
    : prompt
}

/**
 * Returns the line with the slot, the ports and the Compose project of a worktree. These values differ between
 * attempts. Returns an empty text if the worktree has none of them.
 */
const environmentLine = ({ slot, portBase, composeProject }: WorktreeOrigin): string => {
  const values = { CLEO_SLOT: slot, CLEO_PORT_BASE: portBase, COMPOSE_PROJECT_NAME: composeProject }
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return set.length > 0 ? `For servers: export ${set.join(' ')}` : ''
}

const outputFile = (facts: PromptFacts): string =>
  ['### Output File', `Write your report into ${outputName(facts)}.`, ...commit(facts)].join('\n')

const outputName = ({ paths }: PromptFacts): string =>
  isPlainWord(paths.outputFile) ? paths.outputFile : 'the file that the first command made'

/**
 * In a shared folder, the agent must add a trailer that names its task. In a worktree it must not stash, because all
 * worktrees share one stash.
 */
const commit = (facts: PromptFacts): string[] => {
  if (!facts.git || !changesCode(facts)) return []
  const { worktree, task } = facts
  const how = worktree ? ', never stash' : ` (trailer \`Task: ${task.id}\`)`
  return [`Commit everything but the report${how}: evidence proves HEAD.`]
}

const changesCode = ({ protocol, gates }: PromptFacts): boolean =>
  protocol === 'contribution' || gates.some((gate) => gate === 'implemented' || toolsFor[gate])

/**
 * The section contains only CLEO's own text, so it gives the options by number. The names of the options are in the
 * fence of the Consensus section, earlier in the prompt.
 */
const vote = ({ id, options, voter }: ConsensusFacts, { spawnId, task }: PromptFacts): string =>
  [
    '### Vote',
    `Vote:    ${voteLine(id, spawnId)}`,
    `One such line for each option, 1 to ${options.length}, by its number under Consensus: with \`--accept\`, \`--reject\` or \`--abstain\`, and your own confidence from 0 to 1. For each conflict add \`--conflict "<with what>:high"\` (or medium, low).${voter ? ` Without a vote of yours ${task.id} cannot be completed.` : ''}`,
  ].join('\n')

const newTasks = ({ spawnId, task }: PromptFacts): string =>
  [
    '### Tasks',
    `Add:     cleo add --batch --as ${spawnId} < <rows.json>`,
    `A JSON array, all or nothing; a row: key, title, parent ("${task.id}" or a key), description, size, acceptance, files, depends (ids or keys).`,
    ...(task.criteria.length > 0 && task.type !== 'subtask'
      ? [
          `The criteria of ${task.id} are checked when its last task is done: each needs a task that meets it.`,
        ]
      : []),
  ].join('\n')

const entry = (facts: PromptFacts): string => {
  const { id } = facts.task
  const line = (words: string) => `cleo finish ${id} --as ${facts.spawnId} ${words}`
  const instead = facts.tier === 0 ? (words: string) => words : line
  return [
    '### Manifest Entry',
    ...facts.gates.flatMap((gate) => (isOwnWord(gate, facts) ? [`Before:  ${verifyLine(facts, gate)}`] : [])),
    `Last:    ${line(report(facts).join(' '))}`,
    'If it refuses, do what it lists and repeat it.',
    `Not finished?  ${instead('--status partial --finding "<done>" --open "<left>"')}`,
    `Stuck?         ${instead('--status blocked --category "missing context" --why "<why>"')}`,
  ].join('\n')
}

// If there are more criteria than this, the prompt shows one flag as a pattern for all of them, to save tokens.
const spelledOut = 5

/** If the agent splits the task, the criteria of the task need to hold only after the new tasks are done. */
const splitsTask = ({ protocol, task }: PromptFacts): boolean =>
  protocol === 'decomposition' && task.type !== 'subtask'

/** Returns the flags that `finish` needs for this task. */
const report = (facts: PromptFacts): string[] => {
  const { protocol, task } = facts
  const criteria = splitsTask(facts) ? [] : task.criteria
  const last = criteria.at(-1)?.n ?? 0
  const numbers = last <= spelledOut ? criteria.map(({ n }) => String(n)) : ['<n>']
  return [
    '--summary "<what you did>" --finding "<what others need to know>"',
    ...numbers.map((n) => `--criterion ${n}=files:<paths>`),
    ...(protocol === 'release' ? ['--tag v<version>'] : []),
    ...(protocol === 'research' ? [' # 3 to 7 findings, one sentence each'] : []),
    ...(last > spelledOut ? [` # --criterion for each n from 1 to ${last}`] : []),
  ]
}

/**
 * At tier 0 only the names of the gates are shown, because `cleo verify` prints the commands for gates that do not
 * hold.
 */
const evidence = (facts: PromptFacts): string => {
  const proved = facts.gates.filter((gate) => !isOwnWord(gate, facts))
  const later = facts.inRun ? proved.filter((gate) => toolsFor[gate]) : []
  const gates = proved.filter((gate) => !later.includes(gate))
  const lines =
    facts.tier === 0
      ? [`The last command proves ${gates.join(', ')}.`]
      : ['Proved by the last command; one alone:', ...gates.map((gate) => verifyLine(facts, gate))]
  return [
    '### Evidence Gates',
    ...(gates.length > 0 ? lines : later.length > 0 ? [] : ['None for this task.']),
    ...(later.length > 0 ? [`After you return, the run proves ${later.join(', ')}.`] : []),
  ].join('\n')
}

/** Whether only the agent's own statement can prove a gate. `finish` cannot prove such a gate. */
const isOwnWord = (gate: Gate, { commands }: PromptFacts): boolean =>
  gate === 'cleanupDone' || (gate === 'securityPassed' && !commands.audit)

const verifyLine = (facts: PromptFacts, gate: Gate): string =>
  `cleo verify ${facts.task.id} --gate ${gate} --evidence "${proofOf(gate, facts)}" --as ${facts.spawnId}`

/**
 * Names a tool even if the project has no command for that tool. For such evidence, CLEO records the gate as not
 * applicable.
 */
const proofOf = (gate: Gate, facts: PromptFacts): string => {
  const tools = toolsFor[gate]
  if (isOwnWord(gate, facts))
    return `note:<${gate === 'cleanupDone' ? 'what was cleaned up' : 'what you checked'}>`
  if (tools) return `tool:${tools.find((tool) => facts.commands[tool]) ?? tools[0]}`
  return gate === 'documented'
    ? `files:${isPlainWord(facts.paths.outputFile) ? facts.paths.outputFile : '<output file>'}`
    : `${facts.git ? 'commit:HEAD;' : ''}files:${scope(facts)}`
}

/** The files come from the task's text, so they are named only if their paths are plain and short. */
const scope = ({ task: { files } }: PromptFacts): string =>
  files.length > 0 && files.every((path) => path.length <= 120 && isPlainWord(path))
    ? files.join(',')
    : '<changed files>'

/** Returns the commands that CLEO runs to check the work; none if the work changes no code. */
const quality = (facts: PromptFacts): string[] => {
  if (!changesCode(facts)) return []
  const lines = Object.entries(facts.commands).flatMap(([tool, words]) =>
    words ? [`${tool}: ${shown(words)}`] : [],
  )
  return [
    '### Quality Gates',
    ...(lines.length > 0
      ? lines
      : ['No commands of its own: say in the output file how you checked your work.']),
  ]
}

/** Shows a command as one printable line, because a command of the project can contain control characters. */
const shown = (words: readonly string[]): string => {
  const line = printable(words.map(shellQuote).join(' '))
  return line.length > 200 ? `${line.slice(0, 200)} …` : line
}

const returns = ({ protocol, stage }: PromptFacts): string =>
  [
    '### Return Format',
    'Return exactly one of:',
    ...returnLines(returnWords(protocol, stage)[0]!),
    'Need another skill? Return only `need skill: <name>`.',
  ].join('\n')
