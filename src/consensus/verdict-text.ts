import { numberedId } from '../kernel/numbered-id.ts'
import { closed, type Status } from '../kernel/task.ts'
import { brief } from '../print/brief.ts'
import { listIds } from '../print/id-list.ts'
import type { ConsensusTally } from './read-tally.ts'

/** Describes the verdict in a few words: `proven: one table`, `contested`, `no verdict yet`, or a person's decision. */
export const verdictText = ({
  row,
  verdict,
  option,
}: Pick<ConsensusTally, 'row' | 'verdict' | 'option'>): string => {
  if (row.decided_at !== null)
    return `decided by ${row.decided_by}: ${row.decision === null ? 'none of the options' : brief(row.decision, 200)}`
  if (verdict === null) return 'no verdict yet'
  return option === undefined ? verdict : `${verdict}: ${brief(option, 200)}`
}

export const whyUndecided = (tallied: ConsensusTally): string | undefined => {
  const { row, verdict, waiting, voters, votes } = tallied
  if (row.decided_at !== null || verdict === 'proven' || verdict === 'refuted') return undefined
  if (waiting.length > 0) return `${listIds(waiting)} ${waiting.length === 1 ? 'has' : 'have'} not voted yet`
  if (verdict === 'contested')
    return `after ${row.round} rounds no option has won, and not every option was rejected; a person decides`
  if (verdict === null)
    return 'no option has won, and not every option was rejected; a second round may decide'
  const judge = votes.find(({ position }) => position !== 'abstain')?.agent
  return voters === 0 || judge === undefined
    ? 'no voter has accepted or rejected an option; at least two must'
    : `only ${judge} has accepted or rejected an option; at least two voters must, each under its own name (--as)`
}

/** Returns the next command, if there is one that anyone may run. */
export const nextStep = ({ row, verdict, waiting, voterTasks }: ConsensusTally): string | undefined => {
  if (row.decided_at !== null || waiting.length > 0) return undefined
  if (verdict === 'contested') return 'cleo inbox'
  // If the voters have tasks, also suggest another round after `insufficient`, because `settleRound` begins no
  // round after this verdict.
  const isNext = voterTasks.length === 0 ? verdict === null : verdict === null || verdict === 'insufficient'
  return isNext && voterTasks.every(({ status }) => closed(status))
    ? `cleo consensus open ${numberedId('C', Number(row.seq))} --again`
    : undefined
}

/**
 * Returns why a consensus takes no more votes; undefined if it still takes votes. A decision of a person ends a
 * consensus. A verdict ends it only once the task of the consensus is closed, or the tasks of all voters are closed.
 * Until then, the next vote can change the verdict.
 */
export const whyOver = (tallied: ConsensusTally, task: Status | undefined): string | undefined => {
  const { row, verdict, voterTasks } = tallied
  if (row.decided_at !== null) return `was ${verdictText(tallied)}`
  if (verdict === null) return undefined
  if (voterTasks.length > 0 && voterTasks.every(({ status }) => closed(status)))
    return `is ${verdictText(tallied)}, and all its voters are done`
  return task && closed(task) ? `is ${verdictText(tallied)}, and ${row.task} is ${task}` : undefined
}
