import type { Config } from '../kernel/config.ts'

const minutes = 15

export const leaseMs = (config: Config): number => (config.claims?.lease ?? minutes) * 60_000
