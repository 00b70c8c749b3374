import * as spawns from '../claims/sql/spawns.ts'
import { standingOf } from '../evidence/standing.ts'
import type { Protocol } from '../kernel/protocol.ts'
import * as links from '../manifest/sql/links.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { authorsOf } from './authors.ts'
import { commitsOf } from './commits.ts'
import { folderChanges } from './folder-changes.ts'
import { logSince } from './log-since.ts'
import { lookUp } from './look-up.ts'
import { outputOf } from './output.ts'
import { partsOf } from './parts.ts'
import { releaseOf } from './release.ts'
import type { Observed } from './rules/observed.ts'
import { givenAsEvidence, type Sight } from './sight.ts'
import * as observed from './sql.ts'
import { votesOf } from './votes.ts'

/**
 * Looks at a task and at what came of its last spawn: what was recorded, handed in, committed and left on disk. Undefined
 * where nobody was sent. While the task is open its evidence is looked at again; once it is done, what others have changed
 * since does not count against it.
 */
export const observe = async (context: Context, row: TaskRow): Promise<Observed | undefined> => {
  const spawn = await spawns.latest(context.store, row.id)
  if (!spawn) return undefined
  const open = row.status !== 'done' && row.status !== 'cancelled'
  const standing = await standingOf(context, row.id, { recheck: open })
  const entries = (await observed.entriesOf(context.store, spawn.id)).map((entry) => ({
    ...entry,
    body: JSON.parse(entry.body) as Record<string, unknown>,
  }))
  const sight: Sight = {
    context,
    row,
    spawn,
    standing,
    entries,
    given: await givenAsEvidence(context, spawn),
  }
  const file = await outputOf(sight)
  const entry = entries.at(-1)
  return {
    task: { id: row.id, type: row.type, status: row.status, stage: standing.stage },
    protocol: spawn.protocol,
    spawn: spawn.id,
    ...(await logSince(context.store, spawn)),
    entries: entries.map(({ id, status, sha256, body }) => ({ id, status, sha256, body })),
    ...(file && { file }),
    linked:
      entry !== undefined &&
      (await links.ofEntry(context.store, entry.id)).some(({ task }) => task === row.id),
    gates: standing.gates,
    criteria: standing.criteria,
    shown: sight.given.files,
    named: await lookUp(sight, file?.text),
    git: await commitsOf(sight),
    ...(await more[spawn.protocol]?.(sight)),
    ...(standing.stage === 'validation' && { authors: await authorsOf(sight) }),
  }
}

/** What only some protocols ask about. */
const more: Partial<Record<Protocol, (sight: Sight) => Promise<Partial<Observed>>>> = {
  research: async (sight) => ({ changed: await folderChanges(sight) }),
  consensus: async (sight) => ({ votes: await votesOf(sight) }),
  decomposition: async (sight) => ({ parts: await partsOf(sight) }),
  release: async (sight) => ({ release: await releaseOf(sight) }),
}
