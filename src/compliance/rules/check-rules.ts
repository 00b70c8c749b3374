import type { Protocol } from '../../kernel/protocol.ts'
import { isHeld } from '../../standing/missing-requirements.ts'
import { base } from './base.ts'
import { consensus } from './consensus.ts'
import { contribution } from './contribution.ts'
import { decomposition } from './decomposition.ts'
import { implementation } from './implementation.ts'
import { release } from './release.ts'
import { research } from './research.ts'
import type { RuleFacts } from './rule-facts.ts'
import { type Rule, type Rules, type Ruling, reviseFix } from './ruling.ts'
import { specification } from './specification.ts'
import { validation } from './validation.ts'

export interface CheckedRule extends Ruling {
  id: string
  /** Set if partial work breaks a rule about finished work, so that `result` is only a warning. */
  open?: true
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

/** Rules about finished work. Partial work that breaks one of them gets only a warning. */
const ofFinishedWork: readonly string[] = [
  ...['RSCH-002', 'IMPL-001', 'IMPL-006', 'SPEC-001', 'SPEC-002', 'SPEC-003', 'SPEC-004', 'SPEC-005'],
  ...['CONT-006', 'DCMP-002', 'DCMP-006', 'RLSE-001', 'RLSE-002', 'RLSE-004', 'RLSE-006'],
]

export const checkRules = (facts: RuleFacts): CheckedRule[] => {
  const rules = {
    ...base,
    ...rulesOf[facts.protocol],
    ...(facts.task.stage === 'validation' ? validation : {}),
  }
  return Object.entries(rules).map(([id, rule]) => check(id, rule, facts))
}

/**
 * Rules that do not decide whether a task may be done. Some need facts that are known only later: the return line,
 * and the actor that completed the task. Others repeat what the contract already reports about the entry, the file,
 * the focus and the gates. BASE-007 (the entry is linked to the task) does not decide, because breaking it is only a
 * warning.
 */
const notAtCompletion: readonly string[] = [
  ...['BASE-001', 'BASE-002', 'BASE-003', 'BASE-004', 'BASE-005', 'BASE-007', 'RSCH-005'],
  ...['IMPL-004', 'CONT-003'],
]

export const checkAtCompletion = (facts: RuleFacts): CheckedRule[] => {
  // Leave out gates that do not hold, and all criteria, because the contract already reports them.
  const checked = checkRules({ ...facts, gates: facts.gates.filter(isHeld), criteria: [] })
  return checked.filter(({ id }) => !notAtCompletion.includes(id))
}

const check = (id: string, rule: Rule, facts: RuleFacts): CheckedRule => {
  const ruling = rule(facts)
  const isPartial = facts.entries.at(-1)?.status === 'partial' && ofFinishedWork.includes(id)
  const result = ruling.result === 'fail' && (isPartial || warnings.includes(id)) ? 'warning' : ruling.result
  const fix = ruling.fix ?? (result === 'fail' ? reviseFix(facts) : undefined)
  return {
    id,
    ...ruling,
    result,
    fact: shortenFact(ruling.fact),
    ...(fix && { fix }),
    ...(isPartial && result === 'warning' && { open: true as const }),
  }
}

const maxFactLength = 300

/** A fact can contain long paths and versions. */
const shortenFact = (fact: string): string =>
  fact.length > maxFactLength ? `${fact.slice(0, maxFactLength).toWellFormed()}…` : fact
