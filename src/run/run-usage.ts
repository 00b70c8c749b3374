import type { AgentTokens } from '../agent-processes/agent.ts'
import { costOf } from '../agent-processes/prices.ts'
import type { RunOptions } from './run-options.ts'

/** Tokens and US dollars of an agent, summed over all processes of its spawn. */
export interface RunUsage {
  tokens: number
  cost: number
}

/** If the client reports no cost, computes it from the configured prices. */
const usageIn = (
  { cost, ...tokens }: Partial<AgentTokens> & { cost?: number | undefined },
  { price }: Pick<RunOptions, 'price'>,
): RunUsage => {
  const { input = 0, output = 0 } = tokens
  return {
    tokens: input + output,
    cost: cost ?? costOf(price, { ...tokens, input, output }) ?? 0,
  }
}

/** The tokens and cost of a spawn's earlier processes, and whether the new process continues the client's session. */
export interface UsedBefore extends RunUsage {
  isContinued: boolean
}

/**
 * Returns the tokens and cost that a spawn has used: the numbers of the current process plus those of the earlier
 * processes. If the process continued a session, some clients report the numbers of the whole session. In that case
 * nothing is added, because these numbers already include the earlier processes.
 */
export const totalUsage = (
  { isContinued, ...before }: UsedBefore,
  counted: Partial<AgentTokens> & { cost?: number | undefined },
  options: Pick<RunOptions, 'price'>,
): RunUsage => {
  const usage = usageIn(counted, options)
  return isContinued && counted.ofSession
    ? { tokens: Math.max(before.tokens, usage.tokens), cost: Math.max(before.cost, usage.cost) }
    : withUsage(before, usage)
}

export const withUsage = (one: RunUsage, other: RunUsage): RunUsage => ({
  tokens: one.tokens + other.tokens,
  cost: one.cost + other.cost,
})

export const usageText = ({ tokens, cost }: RunUsage): string =>
  [
    ...(tokens > 0 ? [`${tokens.toLocaleString('en')} tokens`] : []),
    ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
  ].join(', ')
