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
 * Returns how much time must pass after a recorded command before another command of the same owner is recorded. So
 * most commands that only read write nothing. A spawn's commands also show whether the spawn is quiet, so they are
 * recorded more often: after a twelfth of the quiet time at the latest.
 */
export const recordedEvery = (config: Config, isSpawn: boolean): number => {
  const half = leaseMs(config) / 2
  return isSpawn ? Math.min(half, quietMs(config) / 12) : half
}
