import { closed } from '../../kernel/task.ts'
import { parseSpawnId } from '../../kernel/task-id.ts'
import { voteLine } from '../../kernel/vote-line.ts'
import type { RuleFacts, Vote } from './rule-facts.ts'
import {
  agentType,
  count,
  fail,
  notApplicable,
  pass,
  passUnless,
  type Rule,
  type Rules,
  respawnFix,
  workRule,
} from './ruling.ts'

/**
 * Returns the command with which the spawn votes. If there is no consensus to vote in, returns the command that opens a
 * consensus. If the spawn has returned or the task is closed, returns the command for a new attempt.
 */
const voteFix = (facts: RuleFacts): string => {
  const { task, spawn, votes = [], returned } = facts
  if (returned || closed(task.status)) return respawnFix(facts)
  const open = votes.at(-1)
  return open
    ? voteLine(open.id, spawn)
    : `cleo consensus open ${task.id} --question "<question>" --option "<one>" --option "<other>" --as ${spawn}`
}

const votesRule = (fine: string, wrong: (vote: Vote) => string | undefined): Rule =>
  workRule((_, facts) => {
    const votes = (facts.votes ?? []).flatMap(({ own }) => own)
    if (votes.length === 0) return notApplicable(`${facts.spawn} has no votes`)
    return passUnless(
      votes.flatMap((vote) => {
        const what = wrong(vote)
        return what === undefined ? [] : [`the vote on ${JSON.stringify(vote.option.slice(0, 40))} ${what}`]
      }),
      `${count(votes.length, 'vote')}, ${fine}`,
      voteFix(facts),
    )
  })

export const consensus: Rules = {
  'CONS-001': workRule((_, facts) => {
    const voted = (facts.votes ?? []).filter(({ own }) => own.length > 0)
    const votes = voted.reduce((sum, { own }) => sum + own.length, 0)
    return votes > 0
      ? pass(`${count(votes, 'vote')} of ${facts.spawn} in ${voted.map(({ id }) => id).join(', ')}`)
      : fail(`${facts.spawn} recorded no vote`, voteFix(facts))
  }),

  'CONS-002': votesRule('each with a rationale', ({ rationale }) =>
    rationale.trim() === '' ? 'has no rationale' : undefined,
  ),

  'CONS-003': votesRule('each with a confidence from 0 to 1', ({ confidence }) =>
    confidence >= 0 && confidence <= 1 ? undefined : `has the confidence ${confidence}`,
  ),

  'CONS-004': votesRule('each with evidence', ({ evidence }) =>
    evidence.some((piece) => typeof piece === 'string' && piece.trim() !== '')
      ? undefined
      : 'cites no evidence',
  ),

  'CONS-005': votesRule('every conflict with its severity', ({ conflicts }) =>
    conflicts.every(isComplete) ? undefined : 'has a conflict without a name or without a severity',
  ),

  'CONS-006': ({ votes }) => {
    const open = (votes ?? []).filter(
      ({ verdict, decidedBy }) => verdict === 'contested' || decidedBy !== undefined,
    )
    if (open.length === 0) return notApplicable('no decision was left to a person')
    return passUnless(
      open.flatMap(({ id, decidedBy }) =>
        decidedBy !== undefined && parseSpawnId(decidedBy)
          ? [`${id} was decided by ${decidedBy}, not by a person`]
          : [],
      ),
      open
        .map(
          ({ id, decidedBy }) => `${id} ${decidedBy ? `decided by ${decidedBy}` : 'is waiting for a person'}`,
        )
        .join(', '),
      'cleo inbox',
    )
  },

  'CONS-007': agentType('consensus'),
}

const isComplete = (conflict: unknown): boolean => {
  const { with: other, severity } = (conflict ?? {}) as { with?: unknown; severity?: unknown }
  return (
    typeof other === 'string' && other.trim() !== '' && typeof severity === 'string' && severity.trim() !== ''
  )
}
