/** Refusal codes for problems with an integration branch. */
export const integrationCodes = [
  'integration.taken',
  'integration.checked_out',
  'integration.moved',
  'integration.lost',
  'integration.failed',
  'checkout.busy',
] as const
export type IntegrationCode = (typeof integrationCodes)[number]

/** Refusal codes for two branches that cannot be merged. */
export const bringCodes = ['land.conflict', 'land.red', 'land.failed'] as const
export type BringCode = (typeof bringCodes)[number]

/** Refusal codes for a spawn that gets no work folder. */
export const placeCodes = [
  ...integrationCodes,
  ...bringCodes,
  'worktree.failed',
  'worktree.setup',
  'worktree.space',
  'worktree.invalid',
  'path.outside',
] as const

export const mergeCodes = [
  ...integrationCodes,
  'merge.conflict',
  'merge.red',
  'merge.failed',
  'merge.lost',
  'task.changed',
] as const
export type MergeCode = (typeof mergeCodes)[number]
