import type { AgentEnd } from '../agent-processes/agent.ts'
import type { Failure } from '../kernel/result.ts'

/**
 * Returns the class of a failed attempt, for the report. `receive` refused the attempt with `code`, which usually
 * decides the class. If the manifest entry is missing or the return line is invalid, the class depends on how the
 * agent's process ended.
 */
export const failureClass = (
  { code, problems = [] }: Pick<Failure, 'problems'> & { code: string },
  end: Pick<AgentEnd, 'ending' | 'denied' | 'cleoMissing'> | undefined,
): string => {
  if (code === 'merge.conflict') return 'merge conflict'
  if (code === 'merge.red') return 'checks failed after the merge'
  if (code === 'evidence.missing' && problems.some(({ path }) => path === 'implemented')) return 'no commit'
  if (code !== 'manifest.missing' && code !== 'return.invalid') return byCode[code] ?? code
  if (end?.cleoMissing) return 'cleo not found'
  if (end && end.denied.length > 0) return 'not allowed'
  return (end && byEnding[end.ending]) ?? 'claimed success with nothing'
}

const byCode: Readonly<Record<string, string>> = {
  'evidence.missing': 'gates not proved',
  'evidence.invalid': 'a check that is not trusted',
  'gate.unmet': 'gates not met',
  'evidence.stale': 'evidence out of date',
  'output.missing': 'no output file',
  'rule.broken': 'a rule broken',
  'focus.unset': 'worked without focus',
  'vote.missing': 'no vote',
}

const byEnding: Readonly<Partial<Record<AgentEnd['ending'], string>>> = {
  'asked a question': 'asked a question',
  crashed: 'crashed',
  idle: 'hung',
  'too long': 'too long',
  quota: 'quota',
  'not logged in': 'not logged in',
  'not found': 'agent not found',
  'not started': 'not started',
  'ended by us': 'ended by the run',
  'watcher lost': 'its end was not recorded',
}

/**
 * Endings that do not count as failed attempts. The report lists them among the remarks, not among the failures.
 */
const uncounted = ['quota', 'not logged in', 'not found', 'not started', 'watcher lost']

export const isUncounted = (ending: string | undefined): boolean => uncounted.includes(ending ?? '')

export const nameOfEnd = (ending: string | undefined): string =>
  byEnding[ending as AgentEnd['ending']] ?? ending ?? ''

export const uncountedEnd = ({ ending, reason }: Pick<AgentEnd, 'ending' | 'reason'>): string | undefined =>
  isUncounted(ending) ? `${byEnding[ending]}${reason ? ` (${reason})` : ''}` : undefined
