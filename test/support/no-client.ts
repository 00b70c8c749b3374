import { clientVariables, threadVariables } from '../../src/kernel/actor.ts'

/** Empties the variables by which agent clients are recognised: the suite must pass when a client runs it. */
export const noClient: Record<string, string> = Object.fromEntries(
  [...Object.keys(clientVariables), ...threadVariables].map((name) => [name, '']),
)
