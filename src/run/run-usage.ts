import type { AgentTokens } from '../agent-processes/agent.ts'
import { costOf } from '../agent-processes/prices.ts'
import type { RunOptions } from './run-options.ts'

/** Tokens and US dollars of an agent, summed over all processes of its spawn. */
export interface RunUsage {
  tokens: number
  cost: number
}

/** If a client reports no cost, the cost is computed from the configured prices. */
export const usageIn = (
  { cost, ...tokens }: AgentTokens & { cost?: number },
  { price }: Pick<RunOptions, 'price'>,
): RunUsage => ({
  tokens: tokens.input + tokens.output,
  cost: cost ?? costOf(price, tokens) ?? 0,
})

export const withUsage = (one: RunUsage, other: RunUsage): RunUsage => ({
  tokens: one.tokens + other.tokens,
  cost: one.cost + other.cost,
})

export const usageText = ({ tokens, cost }: RunUsage): string =>
  [
    ...(tokens > 0 ? [`${tokens.toLocaleString('en')} tokens`] : []),
    ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
  ].join(', ')
