import type { Protocol } from '../../kernel/protocol.ts'
import { base } from './base.ts'
import { consensus } from './consensus.ts'
import { contribution } from './contribution.ts'
import { decomposition } from './decomposition.ts'
import { implementation } from './implementation.ts'
import type { Observed } from './observed.ts'
import { release } from './release.ts'
import { research } from './research.ts'
import { type Rules, type Ruling, respawnFix } from './ruling.ts'
import { specification } from './specification.ts'
import { validation } from './validation.ts'

export interface Ruled extends Ruling {
  id: string
}

/** What each protocol lets a program check, by the ids of its text. */
export const rulesOf: Readonly<Record<'base' | Protocol, Rules>> = {
  base,
  research,
  consensus,
  specification,
  decomposition,
  implementation,
  contribution,
  release,
}

/** Rules that say SHOULD: who does not keep them is warned. */
export const warnings: readonly string[] = ['BASE-007', 'DCMP-007']

/** Every rule that a program can check, on what was seen of one task. */
export const judge = (seen: Observed): Ruled[] => {
  const rules = {
    ...base,
    ...rulesOf[seen.protocol],
    ...(seen.task.stage === 'validation' ? validation : {}),
  }
  return Object.entries(rules).map(([id, rule]) => {
    const ruling = rule(seen)
    const result = ruling.result === 'fail' && warnings.includes(id) ? 'warning' : ruling.result
    const fix = ruling.fix ?? (result === 'fail' ? respawnFix(seen) : undefined)
    return { id, ...ruling, result, fact: brief(ruling.fact), ...(fix && { fix }) }
  })
}

const longest = 300

/** Paths and versions are somebody else's words, as long as they like. */
const brief = (fact: string): string =>
  fact.length > longest ? `${fact.slice(0, longest).toWellFormed()}…` : fact
