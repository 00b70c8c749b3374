import type { Config } from '../kernel/config.ts'

export const defaultLeaseMinutes = 15
export const defaultQuietMinutes = 60

export const leaseMs = (config: Config): number => (config.claims?.lease ?? defaultLeaseMinutes) * 60_000

/** After this time without a command, a commit or a changed file, a spawn is quiet. */
export const quietMs = (config: Config): number => (config.claims?.quiet ?? defaultQuietMinutes) * 60_000

/**
 * How often a command of the owner is written down, so that most reads write nothing. A spawn's commands also decide
 * whether it is quiet, so they are recorded to within a twelfth of that time.
 */
export const recordedEvery = (config: Config, isSpawn: boolean): number => {
  const half = leaseMs(config) / 2
  return isSpawn ? Math.min(half, quietMs(config) / 12) : half
}
