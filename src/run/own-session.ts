import type { AgentEnd, AgentKind } from '../agent-processes/agent.ts'
import { type Receipt, receiptsOf } from '../claims/sql/returns.ts'
import type { CallingContext } from '../operation/context.ts'
import { fenceWith } from '../prompt/data-fence.ts'
import { breachSentence } from '../receive/breach.ts'
import type { RunAgentRow } from './sql.ts'

/**
 * Whether an agent can be told in its own session that its work was refused. This is possible only if the agent's
 * process ended by itself. If the process crashed, hung or took too long, the same session would probably fail again.
 */
export const canContinue = (
  kind: Pick<AgentKind, 'resumes'>,
  row: Pick<RunAgentRow, 'client_session' | 'ending'> | undefined,
): boolean => {
  const ending = endingIn(row)
  return kind.resumes && Boolean(row?.client_session) && (ending === 'ended' || ending === 'asked a question')
}

/** Returns undefined if the work was not refused. */
export const refusedText = async (
  { store, host }: Pick<CallingContext, 'store' | 'host'>,
  { task, spawn, ending }: Pick<RunAgentRow, 'task' | 'spawn' | 'ending'>,
): Promise<string | undefined> => {
  const receipt = (await receiptsOf(store, task)).find((each) => each.spawn === spawn)
  const sentence = receipt && sentenceOf(receipt, task)
  if (!sentence) return undefined
  const { breach, quoted } = sentence
  return `CLEO checked your work on ${task} and did not accept it.

${breach}${quoted ? `\n${fenceWith(host.randomId(8))(quoted, 'last-attempt')}` : ''}

You are still ${spawn}, and your files and commits are still in your folder. Do what is missing, then run \`cleo finish\`
again and return one line, as your prompt says.
${endingIn({ ending }) === 'asked a question' ? 'No person answers questions here: decide yourself, or return that you are blocked.\n' : ''}`
}

const sentenceOf = ({ breach }: Receipt, task: string) =>
  breach === undefined ? undefined : breachSentence(breach, task)

/**
 * Returns the ending of a process that continued a session. If the process crashed before the model answered, the
 * client has probably lost the session. Such a crash says nothing about the work, so the ending becomes `not
 * started`.
 */
export const endOfContinued = (end: AgentEnd): AgentEnd =>
  end.ending === 'crashed' && !end.tokens?.output && end.lastMessage === undefined
    ? {
        ...end,
        ending: 'not started',
        reason: `its session could not be continued${end.reason ? `: ${end.reason}` : ''}`,
      }
    : end

const endingIn = (row: Pick<RunAgentRow, 'ending'> | undefined): AgentEnd['ending'] | undefined =>
  row?.ending ? (JSON.parse(row.ending) as AgentEnd).ending : undefined
