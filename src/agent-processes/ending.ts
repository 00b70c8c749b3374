import type { AgentEnd, AgentNote, AgentTokens, Ending } from './agent.ts'

const mostDenied = 20
const mostMessage = 4000

export interface Gathered {
  denied: string[]
  lastMessage?: string
  session?: string
  tokens?: AgentTokens
  cost?: number
  quota?: { text: string; until?: number }
  auth?: string
  cleoMissing?: true
  turnOver?: { failed?: string }
}

/** If the agent continues after an error of its service, the error no longer counts. */
export const gather = (known: Gathered, note: AgentNote): Gathered => {
  switch (note.kind) {
    case 'action':
    case 'message': {
      const { quota: _quota, auth: _auth, turnOver: _over, ...rest } = known
      return note.kind === 'message' ? { ...rest, lastMessage: note.text.slice(0, mostMessage) } : rest
    }
    case 'session':
      return { ...known, session: note.id }
    case 'tokens': {
      const { kind: _, cost, ...tokens } = note
      return { ...known, tokens, ...(cost !== undefined && { cost }) }
    }
    case 'denied':
      return known.denied.includes(note.what) || known.denied.length >= mostDenied
        ? known
        : { ...known, denied: [...known.denied, note.what] }
    case 'quota': {
      const { kind: _, ...quota } = note
      return { ...known, quota }
    }
    case 'auth':
      return { ...known, auth: note.text }
    case 'no cleo':
      return { ...known, cleoMissing: true }
    case 'turn over':
      return { ...known, turnOver: note.failed === undefined ? {} : { failed: note.failed } }
  }
}

export interface ProcessEnd {
  notStarted?: { code: string | undefined; reason: string }
  code?: number | undefined
  signal?: string | undefined
  /** Why the watcher ended the process; undefined if the process ended by itself. */
  stop?: Stop
}

export type Stop =
  | { why: 'asked'; reason: string }
  | { why: 'idle' | 'too long'; ms: number }
  /** The turn was over, but the process did not exit. */
  | { why: 'turn over' }

/**
 * Returns how an agent's process ended, judging by its exit status, its notes and its last message. Whether the task
 * is done is decided later, by `receive`.
 */
const endingOf = (
  { notStarted, code, signal, stop }: ProcessEnd,
  { auth, quota, turnOver, lastMessage, denied }: Gathered,
): { ending: Ending; reason?: string } => {
  if (notStarted)
    return { ending: notStarted.code === 'ENOENT' ? 'not found' : 'not started', reason: notStarted.reason }
  if (stop?.why === 'asked') return { ending: 'ended by us', reason: stop.reason }
  if (auth !== undefined) return { ending: 'not logged in', reason: auth }
  if (quota !== undefined) return { ending: 'quota', reason: quota.text }
  const isQuestion = asks(lastMessage) || denied.some((what) => what.startsWith('AskUserQuestion'))
  const question = {
    ending: 'asked a question',
    ...(lastMessage && { reason: lastParagraph(lastMessage) }),
  } as const
  if (stop?.why === 'idle')
    return isQuestion ? question : { ending: 'idle', reason: `no output for ${minutes(stop.ms)}` }
  if (stop?.why === 'too long') return { ending: 'too long', reason: `ran for ${minutes(stop.ms)}` }
  if (turnOver?.failed !== undefined) return { ending: 'crashed', reason: turnOver.failed }
  // If a program asks a question and finds its input closed, it often exits with a failure. This is not a crash.
  if (!stop && (signal !== undefined || (code !== 0 && !isQuestion)))
    return { ending: 'crashed', reason: signal === undefined ? `exit status ${code}` : `ended by ${signal}` }
  return isQuestion ? question : { ending: 'ended' }
}

/** Whether a message ends with a question, even if choices such as `[y/N]` follow. */
const asks = (message: string | undefined): boolean => {
  const end = message?.trimEnd().slice(-120)
  if (end === undefined) return false
  const at = end.lastIndexOf('?')
  if (at < 0) return false
  const rest = end.slice(at + 1).trim()
  return rest === '' || /^[[(*_"'`)\]][^.\n]{0,30}$/.test(rest)
}

const lastParagraph = (message: string): string => message.trimEnd().split('\n').at(-1)!.trim().slice(-300)

const minutes = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`

export const endRecord = (
  exit: ProcessEnd,
  known: Gathered,
  more: Pick<AgentEnd, 'bytes' | 'leftBehind' | 'endedAt'> & { startedAt?: number },
): AgentEnd => {
  const { ending, reason } = endingOf(exit, known)
  const { denied, lastMessage, session, tokens, cost, cleoMissing, quota } = known
  return {
    ending,
    ...(reason !== undefined && { reason }),
    ...(exit.code !== undefined && { code: exit.code }),
    ...(exit.signal !== undefined && { signal: exit.signal }),
    denied,
    ...(lastMessage !== undefined && { lastMessage }),
    ...(tokens && { tokens }),
    ...(cost !== undefined && { cost }),
    ...(session !== undefined && { session }),
    ...(cleoMissing && { cleoMissing }),
    ...(ending === 'quota' && quota?.until !== undefined && { quotaUntil: quota.until }),
    ...more,
  }
}
