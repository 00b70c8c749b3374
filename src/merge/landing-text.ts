import { brief } from '../print/brief.ts'
import { printable } from '../print/printable.ts'
import type { LandingTask } from './landing-plan.ts'

const mostFindings = 7
const findingBytes = 200

interface Texts {
  epic: string
  title: string
  tasks: readonly LandingTask[]
}

export const landingMessage = ({ epic, title, tasks }: Texts): string =>
  [
    titleOf({ epic, title }),
    '',
    ...tasks.flatMap((task) => [`${task.id} ${oneLine(task.title, 120)}`, ...findingsOf(task), '']),
    ...tasks.map(({ id }) => `Task: ${id}`),
    '',
  ].join('\n')

const titleOf = ({ epic, title }: Pick<Texts, 'epic' | 'title'>): string =>
  `Land ${epic}: ${oneLine(title, 60)}`

export const requestText = ({ epic, title, tasks }: Texts): { title: string; body: string } => ({
  title: oneLine(title, 72),
  body: [
    `Work of ${epic}, checked and merged task by task.`,
    '',
    ...tasks.flatMap((task) => [`### ${task.id} ${oneLine(task.title, 120)}`, '', ...findingsOf(task), '']),
  ].join('\n'),
})

/**
 * Agents wrote the findings. Without the list mark, a finding could look like a trailer of the commit, such as
 * `Task: T003`.
 */
const findingsOf = ({ findings }: LandingTask): string[] =>
  findings.slice(0, mostFindings).map((finding) => `- ${oneLine(finding, findingBytes)}`)

const oneLine = (text: string, bytes: number): string =>
  brief(printable(text.replace(/\s+/g, ' ').trim()), bytes)
