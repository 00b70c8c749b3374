import type { Config } from '../kernel/config.ts'

export const defaultLeaseMinutes = 15
export const defaultQuietMinutes = 60

export const leaseMs = (config: Config): number => (config.claims?.lease ?? defaultLeaseMinutes) * 60_000

/** After this time without a command, a commit or a changed file, a spawn is quiet. */
export const quietMs = (config: Config): number => (config.claims?.quiet ?? defaultQuietMinutes) * 60_000

/**
 * The shortest time between two records of an owner's commands, so that most reads write nothing. The commands of a spawn
 * also decide whether it is quiet, so they are recorded more often: every twelfth of the quiet time.
 */
export const recordedEvery = (config: Config, isSpawn: boolean): number => {
  const half = leaseMs(config) / 2
  return isSpawn ? Math.min(half, quietMs(config) / 12) : half
}
