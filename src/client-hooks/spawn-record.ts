import { leaseMs, recordedEvery } from '../claims/lease.ts'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Host } from '../host/host.ts'
import type { ActingConfig } from '../kernel/config.ts'
import { resolvePath } from '../kernel/path.ts'
import { connect } from '../perform/connection.ts'
import type { Db, Store } from '../store/port.ts'
import * as lists from '../tasks/sql/lists.ts'
import { mayChangeCode } from '../worktrees/shared-folder.ts'
import type { AgentRecord, WriteScope } from './agent-record.ts'

/** Reads what a hook needs to know about a spawn, and renews its claim. Undefined if there is no such spawn. */
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
    return { spawn, scope: await scopeOf(store, root, row, config) }
  } finally {
    await connection.close()
  }
}

/** Renews the claim as the spawn's own commands do, and records that the agent is at work, so that it is not quiet. */
const renew = async (store: Store, config: ActingConfig, spawn: string): Promise<void> => {
  const lease = leaseMs(config)
  const now = await store.now()
  if (!(await claims.needsRenewal(store, spawn, now + lease - recordedEvery(config, true)))) return
  await store.tx(async (db) => {
    await claims.renew(db, spawn, now + lease)
    await spawns.seen(db, spawn, now)
  })
}

/**
 * Where the agent of a spawn may write: in its worktree. In a checkout that it shares, the declared files, or any file if
 * none are declared and its work is code. Always the output folders and its workspaces in `.cleo`.
 */
const scopeOf = async (
  db: Db,
  root: string,
  row: spawns.SpawnRow,
  config: ActingConfig,
): Promise<WriteScope> => {
  const options = spawns.optionsOf(row)
  const worktree = options?.worktree === undefined ? undefined : resolvePath(root, options.worktree)
  const work = worktree ?? root
  const outputs = [
    options?.output ?? config.output?.dir ?? 'claudedocs/agent-outputs',
    ...(config.output?.roots ?? []),
    'docs/specs',
  ].map((path) => resolvePath(work, path))
  const declared = worktree === undefined ? (await lists.readAll(db, row.task)).files : []
  const whole = worktree ?? (declared.length === 0 && mayChangeCode(row.protocol) ? root : undefined)
  return {
    otherwise: config.clients?.writes ?? 'warn',
    root,
    allowed: [...(whole ? [whole] : []), ...outputs, `${root}/.cleo/rcasd`, `${root}/.cleo/test-runs`],
    ...(declared.length > 0 && { declared }),
    ...(worktree !== undefined && { worktree }),
  }
}
