import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { syncFiles } from '../write-lacking.ts'

export const sync = operation({
  name: 'pipeline.manifest.sync',
  kind: 'mutate',
  tier: 1,
  summary: 'Read what has come to the files of entries, worktrees included, and write what they lack.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      taken: v.number(),
      quarantined: v.number(),
      /** Entries whose line was in no file: they stand in the project's own again. */
      written: v.number(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: [],
  cli: { command: 'manifest sync', examples: ['cleo manifest sync'] },
  human: ({ taken, quarantined, written, noChange }) => [
    noChange
      ? 'Table and files agree.'
      : `${taken} taken in, ${quarantined} in quarantine, ${written} written back`,
  ],
  run: (_, context) => syncFiles(context),
})
