import type { Tool } from '../kernel/config-words.ts'
import { printable } from '../kernel/print/printable.ts'
import { shellQuote } from '../kernel/print/shell-quote.ts'
import { contracts, type Gate, stageWork } from '../kernel/protocol.ts'
import { voteLine } from '../kernel/vote-line.ts'
import type { ConsensusFacts, PromptFacts } from './prompt-facts.ts'

/** `## Output Requirements`: the exact commands that this subagent runs, in order, and the lines it may return. */
export const outputRequirements = (facts: PromptFacts): string => {
  const { id } = facts.task
  return [
    `## Output Requirements\nRun these in order, in the folder to work in. First:\n${command(facts, `cleo focus set ${id}`)}`,
    ...(facts.consensus ? [vote(facts.consensus, facts)] : []),
    '### Output File\nFill in the file that the first command made and named.',
    entry(facts),
    evidence(facts),
    quality(facts),
    completion(facts),
    returns(facts),
  ].join('\n\n')
}

const command = ({ spawnId }: PromptFacts, words: string, note?: string): string =>
  `    ${words} --as ${spawnId}${note ? `  # ${note}` : ''}`

/** The vote line contains only CLEO's own text: the option is a number, its name is in the fence above. */
const vote = ({ id, options, voter }: ConsensusFacts, { spawnId, task }: PromptFacts): string =>
  [
    `### Vote`,
    `    ${voteLine(id, spawnId)}`,
    `One such line for each option, 1 to ${options.length}, by its number under Consensus: with \`--accept\`, \`--reject\` or \`--abstain\`, and your own confidence from 0 to 1. For each conflict add \`--conflict "<with what>:high"\` (or medium, low).${voter ? ` Without a vote of yours ${task.id} cannot be completed.` : ''}`,
  ].join('\n')

const entry = (facts: PromptFacts): string => {
  const reasons = [
    ...(facts.gates.includes('implemented') && facts.task.files.length > 0
      ? ['`--warning "files: <why>"` if no declared file had to change']
      : []),
    ...(facts.protocol === 'implementation' ? ['`--no-tests "<why>"` if no test was needed'] : []),
  ]
  return [
    '### Manifest Entry',
    command(facts, 'cleo manifest append --status complete --finding "<one sentence>"'),
    'Repeat `--finding`, 3 to 7 in all. Or `--status partial --followup "<what is left>"`, or `--status blocked --blocker "<category>" --text "<why>"`.',
    ...(reasons.length > 0 ? [`Add ${reasons.join(', ')}.`] : []),
  ].join('\n')
}

const evidence = (facts: PromptFacts): string =>
  [
    '### Evidence Gates',
    ...commitFirst(facts),
    ...facts.gates.map((gate) => verifyGate(facts, gate)),
    ...verifyCriteria(facts),
    ...(facts.gates.length + facts.task.criteria.length === 0 ? ['None for this task.'] : []),
  ].join('\n')

/** Gates whose evidence proves the commit. */
const aboutCommit: readonly Gate[] = ['implemented', 'testsPassed', 'qaPassed', 'securityPassed']

const commitFirst = ({ git, gates, task }: PromptFacts): string[] =>
  git && gates.some((gate) => aboutCommit.includes(gate))
    ? [
        `First \`git add\` every file of your work and commit, with \`Task: ${task.id}\` as the last line of the message. Evidence proves HEAD: files that are not committed are refused.`,
      ]
    : []

const verifyGate = (facts: PromptFacts, gate: Gate): string => {
  const { atoms, note } = proofOf(gate, facts)
  return command(facts, `cleo verify ${facts.task.id} --gate ${gate} --evidence "${atoms}"`, note)
}

/**
 * Returns the evidence that proves a gate in this project. A tool that the project does not have is still requested:
 * CLEO records it as not applicable.
 */
const proofOf = (gate: Gate, facts: PromptFacts): { atoms: string; note?: string } => {
  switch (gate) {
    case 'implemented':
      return { atoms: `${facts.git ? 'commit:HEAD;' : ''}files:${scope(facts)}` }
    case 'testsPassed':
      return tool(facts, ['test'])
    case 'qaPassed':
      return tool(facts, ['lint', 'typecheck', 'build'])
    case 'securityPassed':
      return tool(facts, ['audit'])
    case 'documented':
      return { atoms: 'files:<output file>' }
    case 'cleanupDone':
      return { atoms: 'note:<what was cleaned up>' }
  }
}

const tool = ({ commands }: PromptFacts, kinds: readonly Tool[]): { atoms: string; note?: string } => {
  const kind = kinds.find((kind) => commands[kind])
  return kind
    ? { atoms: `tool:${kind}` }
    : { atoms: `tool:${kinds[0]}`, note: 'no such command here: recorded as not applicable' }
}

/** File paths come from the task's text, so only plain paths may be outside a fence. */
const scope = ({ task: { files } }: PromptFacts): string =>
  files.length > 0 && files.every(isPlainPath) ? files.join(',') : '<changed files>'

const isPlainPath = (path: string): boolean => path.length <= 120 && /^[\w@+][\w@+./-]*$/.test(path)

// With more criteria than this, the prompt shows one pattern for all of them, to save tokens.
const spelledOut = 5

const verifyCriteria = (facts: PromptFacts): string[] => {
  const { task, tier } = facts
  const line = (n: number | string, note?: string) =>
    command(facts, `cleo verify ${task.id} --criterion ${n} --evidence "files:<paths>"`, note)
  const last = task.criteria.at(-1)?.n ?? 0
  return tier > 0 && task.criteria.length <= spelledOut
    ? task.criteria.map(({ n }) => line(n))
    : last > 0
      ? [line('<n>', `for each n from 1 to ${last}`)]
      : []
}

const quality = ({ commands }: PromptFacts): string => {
  const lines = Object.entries(commands).flatMap(([kind, words]) =>
    words ? [`    ${shown(words)}  # tool:${kind}`] : [],
  )
  return `### Quality Gates\n${
    lines.length > 0
      ? `CLEO runs these as evidence:\n${lines.join('\n')}`
      : 'This project names no commands of its own. Say in the output file how you checked your work.'
  }`
}

/** Shows a command as one line of printable characters, because the command comes from the project. */
const shown = (words: readonly string[]): string => {
  const line = printable(words.map(shellQuote).join(' '))
  return line.length > 200 ? `${line.slice(0, 200)} …` : line
}

/** A subagent at tier 0 does not link its entry to the task: `receive` does. */
const completion = (facts: PromptFacts): string => {
  const { task, tier } = facts
  // An epic completes when its tasks do, so the agent that divided the epic into tasks only releases it.
  if (task.type === 'epic')
    return [
      '### Completion',
      command(facts, `cleo focus clear ${task.id}`, 'its tasks complete an epic'),
    ].join('\n')
  const link = tier > 0 ? [command(facts, `cleo research link ${task.id} <entry-id>`)] : []
  return ['### Completion', command(facts, `cleo complete ${task.id}`), ...link].join('\n')
}

const returns = ({ protocol, stage }: PromptFacts): string => {
  const { word: ownWord } = stageWork[stage]
  const word = (stageWork[stage].protocol === protocol && ownWord) || contracts[protocol].word
  return [
    '### Return Format',
    'Return exactly one of these lines:',
    `${word} complete. See MANIFEST.jsonl for summary.`,
    `${word} partial. See MANIFEST.jsonl for details.`,
    `${word} blocked. See MANIFEST.jsonl for blocker details.`,
    'If you lack a skill: only `need skill: <name>` or `need level: <name> L2`.',
  ].join('\n')
}
