import type { AgentNote } from './agent.ts'
import { shortText } from './stream-line.ts'

/** Only this many characters from the beginning of a message are searched. */
const searched = 4000

/** Phrases with which Anthropic, OpenAI, Google and their clients say that an account has used up its quota. */
const quotaWords = [
  ...['rate_limit', 'rate limit', 'ratelimit', 'too many requests', 'overloaded', 'usage limit'],
  ...['insufficient_quota', 'exceeded your current quota', 'quota exceeded', 'resource_exhausted'],
  ...['resource has been exhausted', 'credit balance is too low', "you've hit your", 'limit reached'],
  ...['out of credits', 'insufficient credits', 'billing_hard_limit', 'exhausted your'],
]

const authWords = [
  ...['invalid api key', 'invalid x-api-key', 'invalid_api_key', 'incorrect api key', 'api key not valid'],
  ...['api_key_invalid', 'authentication_error', 'please run /login', 'not logged in', 'login required'],
  ...['oauth token has expired', 'oauth token revoked', 'unauthenticated', 'unauthorized', 'codex login'],
  ...['please set an auth method', 'no api key', 'missing api key', 'authentication required'],
]

/** Services answer 402 if an account has no credit left. */
const quotaStatus = new Set([402, 429, 529])
const authStatus = new Set([401, 403])

/**
 * Returns a note if an error message of a client says that the quota is used up, or that the login failed or is
 * missing. Do not pass the agent's own words, because they can be about rate limits too.
 */
export const apiProblem = (
  message: string,
  { status, now }: { status?: number | undefined; now: () => number },
): AgentNote | undefined => {
  const text = message.slice(0, searched)
  const lower = text.toLowerCase()
  const has = (words: readonly string[]) => words.some((word) => lower.includes(word))
  const code = status ?? statusIn(lower)
  if ((code !== undefined && quotaStatus.has(code)) || has(quotaWords)) {
    const until = retryTime(lower, now)
    return { kind: 'quota', text: shortText(text), ...(until !== undefined && { until }) }
  }
  return (code !== undefined && authStatus.has(code)) || has(authWords)
    ? { kind: 'auth', text: shortText(text) }
    : undefined
}

/** The status in messages such as `API Error: 529 {…}` and `unexpected status 401 Unauthorized`. */
const statusIn = (lower: string): number | undefined => {
  for (const before of ['api error: ', 'status ', 'status code ', 'status: ', 'code":', 'code: ']) {
    const at = lower.indexOf(before)
    if (at < 0) continue
    const status = Number.parseInt(lower.slice(at + before.length, at + before.length + 4), 10)
    if (status >= 400 && status < 600) return status
  }
  return undefined
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const mostWaitMs = 8 * units['d']!

/**
 * Returns the time from which the quota is available again; undefined if the message does not say. Services write
 * either a time in seconds since 1970, as in `usage limit reached|1763510400`, or a duration, as in `try again in
 * 12.3s`.
 */
const retryTime = (lower: string, now: () => number): number | undefined => {
  const stamp = /\|(\d{10})\b/.exec(lower)?.[1]
  if (stamp !== undefined) return bounded(Number(stamp) * 1000, now())
  const wait = /(?:again|retry|reset|resets) in (\d{1,6}(?:\.\d{1,6})?) ?(ms|s|m|h|d)/.exec(lower)
  return wait ? bounded(now() + Math.ceil(Number(wait[1]) * units[wait[2]!]!), now()) : undefined
}

/** Ignores a time in the past or far in the future, because such a time was probably misread. */
const bounded = (time: number, now: number): number | undefined =>
  time > now && time - now <= mostWaitMs ? time : undefined
