import type { Config } from '../kernel/config.ts'
import type { Limits } from '../prompt/fit-prompt.ts'

const defaults = { total: 100_000, protocol: 2_000, task: 2_000, skills: 15_000 }

export const limitsOf = ({ budget }: Config): Limits => ({ ...defaults, ...budget })
