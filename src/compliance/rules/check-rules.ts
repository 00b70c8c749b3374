import type { Protocol } from '../../kernel/protocol.ts'
import { base } from './base.ts'
import { consensus } from './consensus.ts'
import { contribution } from './contribution.ts'
import { decomposition } from './decomposition.ts'
import { implementation } from './implementation.ts'
import { release } from './release.ts'
import { research } from './research.ts'
import type { RuleFacts } from './rule-facts.ts'
import { type Rules, type Ruling, respawnFix } from './ruling.ts'
import { specification } from './specification.ts'
import { validation } from './validation.ts'

export interface CheckedRule extends Ruling {
  id: string
}

/** The rules that a program can check, by protocol. */
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

/** Rules whose text says SHOULD: breaking such a rule is only a warning. */
export const warnings: readonly string[] = ['BASE-007', 'DCMP-007']

/** Applies every rule of a task's protocol and stage to the facts. */
export const checkRules = (facts: RuleFacts): CheckedRule[] => {
  const rules = {
    ...base,
    ...rulesOf[facts.protocol],
    ...(facts.task.stage === 'validation' ? validation : {}),
  }
  return Object.entries(rules).map(([id, rule]) => {
    const ruling = rule(facts)
    const result = ruling.result === 'fail' && warnings.includes(id) ? 'warning' : ruling.result
    const fix = ruling.fix ?? (result === 'fail' ? respawnFix(facts) : undefined)
    return { id, ...ruling, result, fact: shortenFact(ruling.fact), ...(fix && { fix }) }
  })
}

const maxFactLength = 300

/** Shortens a fact, because paths and versions in a fact can have any length. */
const shortenFact = (fact: string): string =>
  fact.length > maxFactLength ? `${fact.slice(0, maxFactLength).toWellFormed()}…` : fact
