import type { Host } from '../host/host.ts'
import type { Config } from '../kernel/config.ts'
import { quietMs } from './lease.ts'
import { optionsOf, type SpawnTimes } from './sql/spawns.ts'

/** Returns the time of the spawn's last command. Before its first command, returns the time of the spawn. */
export const lastCommand = ({
  at,
  started_at,
  seen_at,
}: Pick<SpawnTimes, 'at' | 'started_at' | 'seen_at'>): number => Math.max(at, started_at ?? 0, seen_at ?? 0)

/**
 * Returns the time since which a spawn has been quiet; undefined if it is not quiet. If the spawn ran a command
 * recently, does not read its worktree. If the spawn has no worktree, looks at its commands only, because other
 * agents change files in the same folder.
 */
export const quietSince = async (
  { host, config }: { host: Host; config: Config },
  spawn: Pick<SpawnTimes, 'at' | 'started_at' | 'seen_at' | 'asked'>,
  now: number,
): Promise<number | undefined> => {
  const enough = now - quietMs(config)
  const command = lastCommand(spawn)
  if (command > enough) return undefined
  const worktree = optionsOf(spawn)?.worktree
  if (worktree === undefined) return command
  const { lastChangeIn } = await import('../git/last-change.ts')
  const last = Math.max(command, await lastChangeIn(host, worktree, enough))
  return last > enough ? undefined : last
}

/** Rounds down to whole minutes. A number below one has two decimals. */
export const quietMinutes = (since: number, now: number): number => {
  const minutes = (now - since) / 60_000
  return minutes >= 1 ? Math.floor(minutes) : Math.round(minutes * 100) / 100
}
