import { leaseMs, recordedEvery } from '../claims/lease.ts'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Host } from '../host/host.ts'
import type { ActingConfig } from '../kernel/config.ts'
import { resolvePath } from '../kernel/path.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { connect } from '../perform/connection.ts'
import type { Db, Store } from '../store/port.ts'
import * as lists from '../tasks/sql/lists.ts'
import { mayChangeCode } from '../worktrees/shared-folder.ts'
import type { AgentRecord, WriteScope } from './agent-record.ts'

/**
 * Reads the facts about a spawn that a hook needs, and renews the claim of the spawn. Returns undefined if there is no
 * such spawn.
 */
export const spawnRecord = async (
  host: Host,
  root: string,
  spawn: string,
): Promise<AgentRecord | undefined> => {
  const connection = connect({ host, wait: 'block' })
  const { config } = await connection.project()
  const store = await connection.store()
  try {
    const row = await spawns.find(store, spawn)
    if (!row) return undefined
    await renew(store, config, spawn)
    return { spawn, scope: await scopeOf(store, { host, root, config }, row) }
  } finally {
    await connection.close()
  }
}

/**
 * Renews the claim and records that the spawn is active, so that the spawn does not count as quiet even if it runs no
 * `cleo` command for a while.
 */
const renew = async (store: Store, config: ActingConfig, spawn: string): Promise<void> => {
  const lease = leaseMs(config)
  const now = await store.now()
  if (!(await claims.endsBefore(store, spawn, now + lease - recordedEvery(config, true)))) return
  await store.tx(async (db) => {
    await claims.renew(db, spawn, now + lease)
    await spawns.seen(db, spawn, now)
  })
}

/**
 * Returns where the agent of a spawn may write. If the spawn has a worktree, the agent may write anywhere in the
 * worktree. Without a worktree, the agent may write the files that the task declares. If the task declares no files
 * and the protocol may change code, the agent may write any file of the project. Every agent may also write to the
 * output folders and to two folders in `.cleo`.
 */
const scopeOf = async (
  db: Db,
  project: { host: Host; root: string; config: ActingConfig },
  row: spawns.SpawnRow,
): Promise<WriteScope> => {
  const { root, config } = project
  const options = spawns.optionsOf(row)
  const worktree = options?.worktree === undefined ? undefined : resolvePath(root, options.worktree)
  const { outputRoots } = workFoldersIn(project, worktree ?? root, options)
  const declared = worktree === undefined ? (await lists.readAll(db, row.task)).files : []
  const whole = worktree ?? (declared.length === 0 && mayChangeCode(row.protocol) ? root : undefined)
  return {
    otherwise: config.clients?.writes ?? 'warn',
    root,
    allowed: [...(whole ? [whole] : []), ...outputRoots, `${root}/.cleo/rcasd`, `${root}/.cleo/test-runs`],
    ...(declared.length > 0 && { declared }),
    ...(worktree !== undefined && { worktree }),
  }
}
