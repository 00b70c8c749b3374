import { isPlainWord } from '../print/plain-path.ts'
import { printable } from '../print/printable.ts'
import type { Fence } from './data-fence.ts'
import type { ConsensusFacts, Findings, PromptFacts } from './prompt-facts.ts'

/** Text that CLEO did not write is in a fence. */
export const taskContext = (facts: PromptFacts, guidance: string | undefined, fence: Fence): string =>
  [
    '## Task Context',
    identity(facts, fence),
    ...(facts.consensus ? [voteContext(facts.consensus, fence)] : []),
    ...facts.findings.map((findings) => found(findings, fence)),
    ...leftOut(facts),
    ...(facts.references ?? []).map(
      ({ path, text }) => `The last attempt was missing this file:\n${fence(text, path)}`,
    ),
    ...(facts.breach
      ? [
          `### Last Attempt\n${facts.breach}${facts.breachQuote ? `\n${fence(facts.breachQuote, 'last-attempt')}` : ''}`,
        ]
      : []),
    places(facts, fence),
    session(facts),
    ...(guidance ? [`### Stage-Specific Guidance\n${guidance}`] : []),
  ].join('\n\n')

const identity = (facts: PromptFacts, fence: Fence): string => {
  const { task, epic, depends } = facts
  const place = task.id === epic.id ? 'epic' : `${task.type} of epic ${epic.id}`
  const waits = depends.map(({ id, status }) => `${id} (${status})`).join(', ')
  const line = [`${task.id}: ${place}`, `size ${task.size}`, `priority ${task.priority}`]
  if (waits) line.push(`depends on ${waits}`)
  return `### Task Identity\n${line.join(', ')}.\n${fence(taskWords(facts), task.id)}`
}

/** Returns what people and agents wrote about the task. */
export const taskWords = ({ task, epic }: Pick<PromptFacts, 'task' | 'epic'>): string =>
  [
    `Title: ${task.title}`,
    ...(task.id === epic.id ? [] : [`Epic: ${epic.title}`]),
    ...(task.labels.length > 0 ? [`Labels: ${task.labels.join(', ')}`] : []),
    ...(task.files.length > 0 ? [`Files in scope: ${task.files.join(', ')}`] : []),
    `Description:\n${task.description}`,
    ...(task.criteria.length > 0
      ? [`Acceptance criteria:\n${task.criteria.map(({ n, text }) => `${n}. ${text}`).join('\n')}`]
      : []),
    ...(task.notes.length > 0 ? [`Notes:\n${task.notes.map(noted).join('\n')}`] : []),
  ].join('\n')

/** Question and options have separate fences, so that the text of the question cannot look like an option. */
const voteContext = (facts: ConsensusFacts, fence: Fence): string => {
  const { id, task, round, voter } = facts
  const place = voter ? `You are voter ${voter.n} of ${voter.of}` : 'You vote'
  const { question, options, earlier } = consensusWords(facts)
  return [
    `### Consensus\n${place} in round ${round} of ${id}, which decides ${task}. The question:`,
    fence(question, id),
    'The options, by number:',
    fence(options, id),
    ...(earlier
      ? [`Round ${round - 1} gave no verdict. Reasons given there, by option:`, fence(earlier, id)]
      : []),
  ].join('\n')
}

/** Each option is one line, so that its text cannot look like another option. */
export const consensusWords = ({ question, options, earlier }: ConsensusFacts) => ({
  question,
  options: options.map((option, n) => `${n + 1}. ${printable(option)}`).join('\n'),
  earlier: earlier
    .map(
      ({ option, position, confidence, rationale }) =>
        `- ${option}: ${position} ${confidence}: ${printable(rationale)}`,
    )
    .join('\n'),
})

const mostOfNote = 1000

const noted = ({ by, text }: { by: string; text: string }): string =>
  `- ${by}: ${text.length > mostOfNote ? `${text.slice(0, mostOfNote).toWellFormed()} …` : text}`

const found = (findings: Findings, fence: Fence): string => {
  const { task, status, linked } = findings
  const about = `${linked ? 'Linked to this task: what' : 'What'} ${task} found (${status}):`
  return `${about}\n${fence(foundWords(findings), task)}`
}

/** The agent that submitted the entry chose the lines and the name of the file, so both go into a fence. */
export const foundWords = ({ lines, file }: Findings): string =>
  [...(file ? [`Output file: ${file}`] : []), ...lines.map((line) => `- ${line}`)].join('\n')

const leftOut = ({ findingsLeftOut = [] }: PromptFacts): string[] =>
  findingsLeftOut.length > 0
    ? [
        `Cut for the context budget: what ${findingsLeftOut.join(', ')} found. \`cleo manifest find <task>\` has it.`,
      ]
    : []

/** A path with unusual characters goes into a fence, because the path comes from the project. */
const places = ({ paths }: PromptFacts, fence: Fence): string => {
  const shown = (path: string) => (isPlainWord(path) ? path : fence(path, 'path'))
  return [
    '### File Paths',
    `outputs: ${shown(paths.output)}`,
    `manifest: ${shown(paths.manifest)}`,
    `stage workspace: ${shown(paths.workspace)}`,
    `test runs: ${shown(paths.testRuns)}`,
    // If the path is plain, the section Output Requirements already names it.
    ...(isPlainWord(paths.work) ? [] : [`work in: ${shown(paths.work)}`]),
  ].join('\n')
}

const session = ({ session }: PromptFacts): string =>
  `### Session Linkage\n${
    session ? `\`--session ${session}\` links a command to your session.` : 'No active session.'
  }`
