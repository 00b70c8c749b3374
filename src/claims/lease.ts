import type { Config } from '../kernel/config.ts'

export const defaultLeaseMinutes = 15

export const leaseMs = (config: Config): number => (config.claims?.lease ?? defaultLeaseMinutes) * 60_000
