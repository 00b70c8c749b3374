import { isHeld } from '../../evidence/missing-requirements.ts'
import { breachOf, commitsRule, conventionOf, everyCommitHasTaskTrailer, shortSha } from './commits.ts'
import {
  agentType,
  count,
  notApplicable,
  passUnless,
  type Rules,
  respawnFix,
  textRule,
  workRule,
} from './ruling.ts'

export const contribution: Rules = {
  'CONT-001': commitsRule((commits, { git }) => {
    const convention = conventionOf(git!.earlier)
    return passUnless(
      commits.flatMap((commit) => {
        const breach = breachOf(commit, convention)
        return breach ? [`${shortSha(commit.sha)} ${breach}`] : []
      }),
      `${count(commits.length, 'commit')}, subjects ${convention === 'plain' ? 'of at most 72 characters' : 'with a type, as in the log'}`,
    )
  }),

  'CONT-002': everyCommitHasTaskTrailer,

  'CONT-003': workRule((entry, { gates, task }) => {
    const required = gates.filter(({ required }) => required)
    if (entry.status !== 'complete') return notApplicable(`the entry says ${entry.status}`)
    return passUnless(
      required.filter((gate) => !isHeld(gate)).map(({ gate, state }) => `${gate} is ${state}`),
      required.length > 0 ? `${required.map(({ gate }) => gate).join(', ')} hold` : 'no gate is required',
      `cleo verify ${task.id}`,
    )
  }),

  'CONT-006': textRule((text, facts) => {
    const commits = (facts.git?.commits ?? []).filter(({ merge }) => !merge)
    return passUnless(
      [
        ...(text.includes(facts.task.id) ? [] : [`the output file does not name ${facts.task.id}`]),
        ...commits
          .filter(({ sha }) => !text.includes(shortSha(sha)))
          .map(({ sha }) => `it does not name ${shortSha(sha)}`),
      ],
      `the output file names ${facts.task.id} and ${count(commits.length, 'commit')}`,
      respawnFix(facts),
    )
  }),

  'CONT-007': agentType('contribution'),
}
