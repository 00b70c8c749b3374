import type { Config } from '../kernel/config.ts'

export const defaultLeaseMinutes = 15
export const defaultQuietMinutes = 60

export const leaseMs = (config: Config): number => (config.claims?.lease ?? defaultLeaseMinutes) * 60_000

/**
 * Returns the quiet time in milliseconds. A spawn is quiet if it ran no command, made no commit and changed no file for
 * this time.
 */
export const quietMs = (config: Config): number => (config.claims?.quiet ?? defaultQuietMinutes) * 60_000

/**
 * Returns the shortest time between two recorded commands of one owner. Commands in between are not recorded, so most
 * queries do not write to the database. The recorded commands of a spawn also show whether the spawn is quiet, so its
 * time is at most a twelfth of the quiet time.
 */
export const recordedEvery = (config: Config, isSpawn: boolean): number => {
  const half = leaseMs(config) / 2
  return isSpawn ? Math.min(half, quietMs(config) / 12) : half
}
