import type { Style } from '../kernel/style.ts'
import { formatMinute } from '../kernel/time.ts'
import { printable } from '../print/printable.ts'
import { drawPlan, type Proposal } from './plan.ts'
import type { RunReport, TaskReport } from './report.ts'
import { usageText } from './run-usage.ts'

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`

export const summaryLine = (report: RunReport): string => {
  const { id, state, why, merged, waiting, left, retries } = report
  const retried = `${retries} ${retries === 1 ? 'retry' : 'retries'}`
  const facts = [
    `${plural(merged, 'task')} merged`,
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you (cleo inbox)`] : []),
    ...(left > 0 ? [`${left} left`] : []),
    ...(retries > 0 ? [retried] : []),
    ...(usageText(report) ? [usageText(report)] : []),
  ].join(', ')
  return `${id} ${state}${why ? ` (${why})` : ''}: ${facts}`
}

const factsOf = ({
  attempts,
  commits,
  evidence,
  failures,
  remarks,
  tokens,
  cost,
  reason,
}: TaskReport): string =>
  [
    ...(attempts.length > 0 ? [`${attempts.at(-1)!.spawnId} ${attempts.at(-1)!.agent}`] : []),
    ...(attempts.length > 1 ? [attemptsText(attempts, 'attempt')] : []),
    ...(commits > 0 ? [plural(commits, 'commit')] : []),
    ...(evidence.length > 0 ? [evidence.join(', ')] : []),
    ...(failures.length > 0 ? [`failed: ${counted(failures)}`] : []),
    ...remarks,
    ...(usageText({ tokens, cost }) ? [usageText({ tokens, cost })] : []),
    ...(reason ? [reason] : []),
  ].join(' · ')

/** Returns a text such as `crashed 2 times, hung`. */
const counted = (failures: readonly string[]): string =>
  [...new Set(failures)]
    .map((name) => {
      const times = failures.filter((each) => each === name).length
      return times > 1 ? `${name} ${times} times` : name
    })
    .join(', ')

/** Returns a text such as `3 attempts, 1 in the same session`. The other attempts began a new session of the client. */
const attemptsText = (attempts: TaskReport['attempts'], word?: string): string => {
  const continued = attempts.filter(({ session }) => session === 'continued').length
  const count = word ? plural(attempts.length, word) : `${attempts.length}`
  return continued > 0 ? `${count}, ${continued} in the same session` : count
}

const checkedAs = {
  'same-user': 'your user, with network (run.verify: same-user)',
  bubblewrap: 'your user in bubblewrap, without network (run.verify: bubblewrap)',
} as const

const signs = {
  merged: '✓',
  partial: '◐',
  running: '…',
  'waits for a person': '■',
  left: '○',
  cancelled: '✗',
} as const

export const drawReport = (report: RunReport & { landed?: boolean }, style: Style): string[] => [
  `${style.cyan(report.id)}  ${style.cyan(report.epic)} ${report.title}  ${report.agent}, ${report.parallel} at once, begun ${formatMinute(report.began)}`,
  ...taskLines(report.tasks, style),
  ...(report.failures.length > 0
    ? [`failed attempts: ${report.failures.map((each) => `${each.class} ${each.times}`).join(', ')}`]
    : []),
  summaryLine(report),
  `  checked as: ${checkedAs[report.verify]}`,
  ...(report.landed ? ['  landed on your branch'] : []),
  `  then: ${report.then}`,
]

/**
 * At a terminal, the facts of a task are below its title, so that nothing is cut. In a pipe, each task is one line.
 */
const taskLines = (tasks: readonly TaskReport[], style: Style): string[] => {
  const heads = tasks.map((task) => [`${signs[task.state]} ${style.cyan(task.id)}`, task.title, task.state])
  if (style.width === undefined)
    return style.table(
      heads.map((head, n) => [...head, factsOf(tasks[n]!)]),
      3,
    )
  const room = style.width - factsIndent.length
  return style
    .table(heads, 1, [])
    .flatMap((head, n) => [
      head,
      ...style.wrap(factsOf(tasks[n]!), room, mostFactLines).map((line) => factsIndent + line),
    ])
}

const factsIndent = '        '
const mostFactLines = 6

export const drawProposal = (proposal: Proposal, style: Style): string[] => [
  ...drawPlan(proposal, style),
  `${proposal.run} waits for your yes`,
  `  then: ${proposal.then}`,
]

/**
 * Turns a text from outside CLEO into one line of Markdown. Escapes the text, so that it cannot make links, images,
 * code or HTML.
 */
const cell = (text: string): string =>
  printable(text.trim().replaceAll(/\s+/g, ' '))
    .replaceAll(/[\\`*[\]|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

/** For a pull request or a wiki. */
export const markdownOf = (report: RunReport): string =>
  `${[
    `# ${report.id}: ${cell(report.title)}`,
    '',
    `${summaryLine({ ...report, ...(report.why && { why: cell(report.why) }) })}. Agent: ${report.agent}, ${report.parallel} at once. Checked as ${checkedAs[report.verify]}.`,
    '',
    '| task | state | by | attempts | evidence | tokens and cost |',
    '|---|---|---|---|---|---|',
    ...report.tasks.map((task) => {
      const by = task.attempts.at(-1)
      return `| ${task.id} ${cell(task.title)} | ${task.state} | ${by ? `${by.spawnId} ${by.agent}` : ''} | ${attemptsText(task.attempts)} | ${task.evidence.join(', ')} | ${usageText(task)} |`
    }),
    ...(report.failures.length > 0
      ? ['', '## Failed attempts', '', ...report.failures.map((each) => `- ${each.class}: ${each.times}`)]
      : []),
    ...(report.tasks.some(({ remarks }) => remarks.length > 0)
      ? [
          '',
          '## Remarks',
          '',
          ...report.tasks.flatMap(({ id, remarks }) =>
            remarks.length > 0 ? [`- ${id}: ${cell(remarks.join('; '))}`] : [],
          ),
        ]
      : []),
    ...(report.tasks.some(({ reason }) => reason)
      ? [
          '',
          '## Waits for a person',
          '',
          ...report.tasks.flatMap(({ id, reason }) => (reason ? [`- ${id}: ${cell(reason)}`] : [])),
        ]
      : []),
    '',
    `Next: \`${report.then}\``,
  ].join('\n')}\n`
