import { isHeld } from '../../standing/missing-requirements.ts'
import { breachOf, commitsRule, conventionOf, everyCommitIsTraceable, shortSha } from './commits.ts'
import {
  agentType,
  count,
  notApplicable,
  passUnless,
  type Rules,
  textFix,
  textRule,
  workRule,
} from './ruling.ts'

export const contribution: Rules = {
  'CONT-001': commitsRule((commits, { git, task }) => {
    const convention = conventionOf(git!.earlier)
    return passUnless(
      commits.flatMap((commit) => {
        const breach = breachOf(commit, convention)
        return breach ? [`commit ${shortSha(commit.sha)} ${breach}`] : []
      }),
      `${count(commits.length, 'commit')}, subjects ${convention === 'plain' ? 'of at most 72 characters' : 'with a type, as in the log'}`,
      `${git!.command} commit --amend -m "<subject>" -m "Task: ${task.id}"`,
    )
  }),

  'CONT-002': everyCommitIsTraceable,

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
    const commits = (facts.git?.commits ?? []).filter(({ merge, files }) => !merge && files.length > 0)
    const isUnnamed = facts.git && commits.length === 0 && !/\b(?=[a-f]*\d)[0-9a-f]{7,40}\b/.test(text)
    return passUnless(
      [
        ...(text.includes(facts.task.id) ? [] : [`the output file does not name ${facts.task.id}`]),
        ...commits
          .filter(({ sha }) => !text.includes(shortSha(sha)))
          .map(({ sha }) => `the output file does not name commit ${shortSha(sha)}`),
        ...(isUnnamed ? ['the output file names no commit'] : []),
      ],
      `the output file names ${facts.task.id} and ${count(commits.length, 'commit')}`,
      textFix(facts),
    )
  }),

  'CONT-007': agentType('contribution'),
}
