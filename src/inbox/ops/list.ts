import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { formatMinute } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf, paging } from '../../operation/paging.ts'
import { readInFull } from '../../terminal/read-in-full.ts'
import { countItems } from '../count-items.ts'
import {
  blockedTasks,
  contestedVotes,
  type InboxItem,
  type InboxLine,
  type ItemPosition,
  itemShape,
  openQuestions,
} from '../inbox-items.ts'

export const list = operation({
  name: 'inbox.list',
  kind: 'query',
  tier: 1,
  summary: 'List the tasks, votes and questions that need a person, oldest first.',
  input: v.strictObject(paging),
  output: () => v.object({ items: v.array(itemShape()) }),
  errors: ['input.invalid'],
  cli: {
    command: 'inbox',
    suggestedFor: ['questions', 'ask', 'mail'],
    examples: ['cleo inbox', 'cleo inbox --limit 5'],
  },
  human: ({ items }, style) =>
    items.length === 0
      ? [style.dim('Nothing is waiting for a person.')]
      : items.flatMap((item) => draw(item, style)),
  async run({ limit, after }, { store }) {
    const position = after === undefined ? start : parsePosition(after)
    if (!position) {
      const problems = [{ path: 'after', message: 'must be the `next` value of the previous page' }]
      return fail('input.invalid', { problems })
    }
    const votes = await contestedVotes(store)
    const items = [
      ...(await blockedTasks(store, position, { limit: limit + 1, votes })),
      ...votes.filter((each) => isAfter(each.position, position)),
      ...(await openQuestions(store, position, limit + 1)),
    ].sort((a, b) => (isAfter(a.position, b.position) ? 1 : -1))
    const total = await countItems(store, votes)
    const { shown, ...next } = pageOf(items, limit, cursor)
    return ok({ items: shown.map(({ item }) => item) }, { page: { total, limit, ...next } })
  },
})

const start: ItemPosition = { at: -1, rank: 0, seq: 0 }

const isAfter = (a: ItemPosition, b: ItemPosition): boolean =>
  a.at !== b.at ? a.at > b.at : a.rank !== b.rank ? a.rank > b.rank : a.seq > b.seq

const cursor = ({ position: { at, rank, seq } }: InboxItem): string => `${at}-${rank}-${seq}`

const parsePosition = (text: string): ItemPosition | undefined => {
  const [at, rank, seq, ...more] = text.split('-').map((part) => (part === '' ? Number.NaN : Number(part)))
  const whole = [at, rank, seq].every((n) => Number.isSafeInteger(n))
  if (!whole || more.length > 0 || rank! > 2) return undefined
  return { at: at!, rank: rank as ItemPosition['rank'], seq: seq! }
}

/** If the reason of a task is the same text as the blocker of its entry, the text is shown once. */
const about = ({ kind, what, why, blocker }: InboxLine, style: Style): string[] => {
  const label = kind === 'person' || kind === 'waiver' ? 'asks for: ' : ''
  const request = [
    ...readInFull(label + what, '  ', style.width),
    ...(why ? readInFull(why, '    ', style.width) : []),
  ]
  if (!blocker) return request
  const line = `${blocker.category}: ${blocker.text}`
  const same = line.replaceAll('\n', '\\n').startsWith(what.replace(/…$/, ''))
  return [...(same ? [] : request), `  ${line.replaceAll('\n', '\n  ')}`]
}

const draw = (item: InboxLine, style: Style): string[] => {
  const { id, kind, since, taskId, title, by, blocker, options, answer } = item
  const origin = [
    formatMinute(since),
    ...(by ? [`by ${by}`] : []),
    ...(taskId ? [`for ${taskId}`] : []),
  ].join(' · ')
  return [
    `${style.cyan(id)} ${kind}${title ? `  ${title}` : ''}  ${style.dim(origin)}`,
    ...about(item, style),
    ...(blocker?.alternatives ?? []).map((each) => `    · ${each}`),
    ...(options ?? []).map(({ option, weight }) => `    ${weight.toFixed(3)} ${option}`),
    `  answer: ${answer}`,
  ]
}
