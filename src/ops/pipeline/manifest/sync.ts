import * as v from 'valibot'
import { linkedFolders } from '../../../host/worktrees.ts'
import { ok } from '../../../model/result.ts'
import { ingest } from '../../manifest/ingest.ts'
import { placesIn } from '../../manifest/places.ts'
import { writeLacking } from '../../manifest/write-lacking.ts'
import { operation } from '../../operation.ts'

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
  async run(_, context) {
    const folders = linkedFolders(context.host, context.root)
    const found = await ingest(context, folders)
    const own = placesIn(context, context.root)
    const written = await writeLacking(context, [own, ...folders.map((folder) => placesIn(context, folder))])
    if (!written.ok) return written
    if (written.value > 0 && !context.dryRun) await ingest(context)
    const { taken, quarantined, warnings } = found
    const noChange = taken + quarantined + written.value === 0
    const counts = { taken, quarantined, written: written.value }
    return ok({ ...counts, ...(noChange && { noChange: true as const }) }, { warnings })
  },
})
