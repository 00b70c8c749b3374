import { clientVariables, threadVariables } from '../../src/kernel/actor.ts'

/**
 * Empties the variables by which CLEO recognizes agent clients, so that the tests also pass when a client runs them.
 */
export const noClient: Record<string, string> = Object.fromEntries(
  [...Object.keys(clientVariables()), ...threadVariables()].map((name) => [name, '']),
)
