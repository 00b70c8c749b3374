import type { Config } from '../kernel/config.ts'

export const defaultLeaseMinutes = 15
export const defaultQuietMinutes = 60

export const leaseMs = (config: Config): number => (config.claims?.lease ?? defaultLeaseMinutes) * 60_000

/** A spawn is quiet if it ran no command, made no commit and changed no file for this time. */
export const quietMs = (config: Config): number => (config.claims?.quiet ?? defaultQuietMinutes) * 60_000

/**
 * Returns how many milliseconds must pass before CLEO renews the claims of an owner again. CLEO waits this long, so
 * that most queries do not write to the database. For a spawn, the renewal also records when the spawn last ran a
 * command. The recorded time shows whether the spawn is quiet, so it must not be too old. For a spawn, the result is
 * therefore at most a twelfth of the quiet time.
 */
export const recordedEvery = (config: Config, isSpawn: boolean): number => {
  const half = leaseMs(config) / 2
  const part = quietMs(config) / 12
  return isSpawn && part < half ? part : half
}
