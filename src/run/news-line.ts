import type { Style } from '../kernel/style.ts'
import { iso } from '../kernel/time.ts'
import { printable, printableData } from '../print/printable.ts'
import { isUncounted, nameOfEnd } from './failure-class.ts'
import type { RunNews } from './ledger.ts'
import { mostAttempts } from './run-options.ts'

interface NewsData {
  agent?: string
  protocol?: string
  folder?: string
  again?: boolean
  session?: 'new' | 'continued'
  sentBack?: boolean
  ending?: string
  submitted?: boolean
  denied?: string[]
  reason?: string
  why?: string
  attempt?: number
  merge?: { into: string; commits: number }
  message?: string
  class?: string
  skill?: string
  text?: string
  remarks?: string[]
}

/** Returns undefined for events that only a resume needs. */
export const newsLine = (news: object, style: Style): string | undefined => {
  const { at, kind, task, spawn, ...data } = news as RunNews & NewsData
  const what = textOf(kind, shownData(data))
  if (what === undefined) return undefined
  const whom = kind === 'merged' || kind === 'ask' ? (task ?? '') : (spawn ?? task ?? '')
  return [style.dim(iso(at).slice(11, 19)), ...(whom === '' ? [] : [style.cyan(whom.padEnd(7))]), what]
    .join(' ')
    .trimEnd()
}

/**
 * Returns the first line of a text that can come from outside CLEO, such as a title or a message of an agent.
 * Escapes every character that a terminal would act on. Drops further lines, because a second line would look like
 * another event.
 */
export const oneLine = (text: string): string => {
  const end = text.indexOf('\n')
  return end < 0 ? printable(text) : `${printable(text.slice(0, end).trimEnd())} …`
}

const shownData = (data: NewsData): NewsData =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? oneLine(value) : printableData(value),
    ]),
  )

const textOf = (kind: string, data: NewsData): string | undefined => {
  switch (kind) {
    case 'begun':
    case 'resumed':
      return data.text ?? kind
    case 'started':
      return `${(data.sentBack ? 'sent back' : data.again ? 'restarted' : 'started').padEnd(12)} ${data.agent}${sessionText(data)}${placeText(data)}`
    case 'not started':
      return `not started  ${data.why}`
    case 'ended':
      return `${data.submitted ? 'submitted' : `ended        without submitting${endedText(data)}`}${(data.remarks ?? []).map((each) => `; ${each}`).join('')}`
    case 'merged':
      return data.merge
        ? `merged       ${data.merge.commits} ${data.merge.commits === 1 ? 'commit' : 'commits'} into ${data.merge.into}`
        : 'received'
    case 'blocked':
      return `blocked      ${data.why ?? ''}`
    case 'needs':
      return `needs        ${data.skill}`
    case 'failed':
      return `failed ${data.attempt}/${mostAttempts}   ${data.why}`
    case 'ask':
      return `waits        for you: ${data.reason}`
    case 'spawn refused':
      return `not spawned  ${data.message}`
    case 'draining':
      return `${data.why}: no further agents are started; running agents finish`
    case 'stopping':
      return `${data.why}: agents are ended`
    default:
      return undefined
  }
}

/** Shows only the end of the worktree's path. The JSON event and `cleo worktree list` show the whole path. */
const placeText = ({ folder }: NewsData): string =>
  folder ? ` in ${folder.split('/').slice(-2).join('/')}` : ''

const sessionText = ({ session }: NewsData): string => (session === 'continued' ? ', same session' : '')

const endedText = ({ ending, reason, denied }: NewsData): string => {
  // Leave out endings that do not count as failed attempts, because the remarks after this text name them.
  const how =
    ending === 'ended' || isUncounted(ending) ? '' : `: ${nameOfEnd(ending)}${reason ? `, ${reason}` : ''}`
  return `${how}${denied?.length ? `: denied ${denied.join(', ')}` : ''}`
}
