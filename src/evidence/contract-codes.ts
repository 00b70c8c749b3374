/** The codes a task can be refused with, in the order in which they win. */
export const contractCodes = [
  'manifest.missing',
  'output.missing',
  'focus.unset',
  'evidence.missing',
  'evidence.stale',
  'gate.unmet',
  'entry.blocked',
] as const
export type ContractCode = (typeof contractCodes)[number]
