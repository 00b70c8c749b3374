import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { syncFiles } from '../sync-files.ts'

export const sync = operation({
  name: 'pipeline.manifest.sync',
  kind: 'mutate',
  tier: 1,
  summary: 'Store new lines of MANIFEST.jsonl; write back lines that the file has lost.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      /** Number of lines that were stored as entries. */
      taken: v.number(),
      /** Number of lines that were put into quarantine. */
      quarantined: v.number(),
      /**
       * Number of entries that had no line in any manifest. A line for each was appended to the project's own
       * manifest.
       */
      written: v.number(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: [],
  cli: { command: 'manifest sync', examples: ['cleo manifest sync'] },
  human: ({ taken, quarantined, written, noChange }) => [
    noChange
      ? 'Nothing to ingest or restore.'
      : `${taken} ingested, ${quarantined} in quarantine, ${written} restored`,
  ],
  run: (_, context) => syncFiles(context),
})
