import type { Evidence } from '../evidence/evidence.ts'
import type { ObservedAtom } from '../evidence/observed-atom.ts'
import { criterionLine, gateLine, type VerifyLineFacts } from '../evidence/verify-line.ts'
import { type Gate, gates } from '../kernel/protocol.ts'
import type { EntryFile } from './entry-file.ts'

export interface GateStanding {
  gate: Gate
  required: boolean
  state: 'unset' | 'passed' | 'failed' | 'stale' | 'na' | 'waived'
  /** Why the gate or criterion does not hold, in a few words: `src/a.ts changed after the run`. */
  why?: string
  /** The command that gives the missing evidence. */
  fix?: string
  evidence?: readonly ObservedAtom[]
  waiver?: string
}

export interface CriterionStanding {
  n: number
  text: string
  state: 'open' | 'met' | 'unmet' | 'waived' | 'stale'
  why?: string
  fix?: string
}

export interface EvidenceFacts {
  spawn?: string
  /** The newest evidence for each gate and criterion, from any attempt. */
  rows: readonly Evidence[]
  /** The rows that count: evidence from the latest attempt, and waivers. */
  counted: readonly Evidence[]
  /** Maps the number of an evidence row to the reason why the row no longer holds. */
  stale: ReadonlyMap<number, string>
  file: EntryFile | undefined
  /** The facts from which suggested commands are made. Without these facts, each `fix` is an empty text. */
  lines?: VerifyLineFacts
}

/** The gates that a spawn needs because of the files it changed, and the reason. */
export interface GatesByWork {
  gates: readonly Gate[]
  why: string
}

export const proofStandings = (
  facts: EvidenceFacts,
  criteria: readonly Criterion[],
  required: readonly Gate[],
  byWork: GatesByWork,
): { gates: GateStanding[]; criteria: CriterionStanding[] } => ({
  gates: gates.flatMap((gate) => {
    const isByWork = byWork.gates.includes(gate)
    const isRequired = isByWork || required.includes(gate)
    if (!isRequired && !facts.rows.some((each) => each.gate === gate)) return []
    const standing = gateStanding(facts, gate, isRequired)
    return [isByWork && standing.state === 'unset' ? { ...standing, why: byWork.why } : standing]
  }),
  criteria: criteria.map((each) => criterionStanding(facts, each)),
})

const gateStanding = (facts: EvidenceFacts, gate: Gate, required: boolean): GateStanding => {
  const own = facts.counted.find((row) => row.gate === gate)
  const before = facts.rows.find((row) => row.gate === gate)
  const fix = facts.lines ? gateLine(facts.lines, gate, before?.atoms) : ''
  const stale = own && facts.stale.get(own.seq)
  if (stale) return { gate, required, state: 'stale', why: stale, fix }
  if (own?.state === 'waived') return { gate, required, state: 'waived', waiver: waiverOf(own) }
  if (own && own.state !== 'failed') return { gate, required, state: own.state, evidence: own.atoms }
  // The output file of the entry is enough to prove `documented`.
  if (gate === 'documented' && facts.file && facts.file.state !== 'missing')
    return facts.file.state === 'there'
      ? { gate, required, state: 'passed' }
      : { gate, required, state: 'stale', why: 'the output file changed after the entry was appended', fix }
  if (own) return { gate, required, state: 'failed', ...reasonOf(own), fix }
  return {
    gate,
    required,
    state: 'unset',
    ...byEarlierAttempt(before?.state === 'failed' ? 'failed' : 'proved', before, facts),
    fix,
  }
}

interface Criterion {
  n: number
  text: string
  state: 'open' | 'met' | 'unmet' | 'waived'
}

/** Only evidence for the current text of the criterion counts. */
const criterionStanding = (facts: EvidenceFacts, { n, text, state }: Criterion): CriterionStanding => {
  const isAboutIt = ({ criterion, atoms }: Evidence) => criterion !== null && textOf(atoms) === text
  const own = facts.counted.findLast(isAboutIt)
  const before = facts.rows.findLast(isAboutIt)
  const fix = facts.lines ? criterionLine(facts.lines, n, before?.atoms) : ''
  const stale = own && facts.stale.get(own.seq)
  if (state === 'met' && stale) return { n, text, state: 'stale', why: stale, fix }
  if (state === 'waived') return { n, text, state, ...(own?.state === 'waived' && { why: waiverOf(own) }) }
  if (state === 'met' && own?.state === 'passed') return { n, text, state }
  if (state === 'unmet') return { n, text, state, ...reasonOf(own), fix }
  return { n, text, state: 'open', ...byEarlierAttempt('met', own ? undefined : before, facts), fix }
}

export const waiverOf = ({ actor, reason }: Pick<Evidence, 'actor' | 'reason'>): string =>
  `by ${actor}: ${reason ?? ''}`

/**
 * If only an earlier attempt gave evidence, returns a reason that says so. That evidence does not count for the
 * latest attempt.
 */
const byEarlierAttempt = (
  verb: string,
  before: Evidence | undefined,
  { spawn }: EvidenceFacts,
): { why?: string } => {
  if (!before) return {}
  return {
    why: !before.spawn
      ? `${verb} only before ${spawn} was spawned`
      : verb === 'failed'
        ? `failed for ${before.spawn}, and was not run for ${spawn}`
        : `${verb} by ${before.spawn}, not by ${spawn}`,
  }
}

/** Takes only the first line, because the other lines are program output, which is also in the log. */
const reasonOf = (row: Evidence | undefined): { why?: string } => {
  const line = row?.reason?.split('\n')[0]?.replace(/:$/, '')
  return line ? { why: line } : {}
}

const textOf = (atoms: readonly ObservedAtom[]): string | undefined =>
  atoms.flatMap((atom) => (atom.kind === 'criterion' ? [atom.text] : []))[0]
