import type { AgentTokens } from './agent.ts'

/** Prices in US dollars for a million model tokens. */
export interface Price {
  input: number
  output: number
  /** The price of input from the service's cache. By default, the price of other input. */
  cached?: number
}

const million = 1_000_000

/**
 * Computes the cost of tokens, for clients that report no cost. If no price is configured, returns undefined, and a
 * cost limit has no effect.
 */
export const costOf = (
  price: Price | undefined,
  { input, output, cached = 0 }: Pick<AgentTokens, 'input' | 'output' | 'cached'>,
): number | undefined => {
  if (!price) return undefined
  const fromCache = Math.min(cached, input)
  const fresh = (input - fromCache) * price.input
  return (fresh + fromCache * (price.cached ?? price.input) + output * price.output) / million
}
