import type { Gate } from '../kernel/protocol.ts'
import { criterionLine, gateLine, type LineFacts } from './lines.ts'
import type { Seen } from './seen.ts'
import type { CriterionStanding, GateStanding, Standing } from './standing-shape.ts'

/** One piece of evidence as it was kept. */
export interface Piece {
  seq: number
  spawn: string | null
  gate: Gate | null
  criterion: number | null
  state: 'passed' | 'failed' | 'na' | 'waived'
  atoms: readonly Seen[]
  reason: string | null
  actor: string
}

export interface Facts {
  spawn?: string
  /** The newest evidence on each gate and criterion, whoever gave it. */
  rows: readonly Piece[]
  /** Those that count: each attempt proves its own work, and a waiver stays. */
  counted: readonly Piece[]
  /** Why a piece no longer holds, by its number. */
  stale: ReadonlyMap<number, string>
  file: Standing['file']
  lines: LineFacts
}

/** How a gate stands by its newest evidence. */
export const ofGate = (facts: Facts, gate: Gate, required: boolean): GateStanding => {
  const own = facts.counted.find((row) => row.gate === gate)
  const before = facts.rows.find((row) => row.gate === gate)
  const fix = gateLine(facts.lines, gate, before?.atoms)
  const stale = own && facts.stale.get(own.seq)
  if (stale) return { gate, required, state: 'stale', why: stale, fix }
  if (own && own.state !== 'failed') return { gate, required, state: own.state, evidence: own.atoms }
  // Work that is written down is handed in as a file: that file is what the gate asks for.
  if (gate === 'documented' && facts.file && facts.file.state !== 'missing')
    return facts.file.state === 'there'
      ? { gate, required, state: 'passed' }
      : { gate, required, state: 'stale', why: 'the output file changed after the entry', fix }
  if (own) return { gate, required, state: 'failed', ...because(own), fix }
  return { gate, required, state: 'unset', ...formerly('proved', before, facts), fix }
}

interface Criterion {
  n: number
  text: string
  state: 'open' | 'met' | 'unmet' | 'waived'
}

/** How a criterion stands: it is met only with evidence that speaks of what it says now. */
export const ofCriterion = (facts: Facts, { n, text, state }: Criterion): CriterionStanding => {
  const speaksOf = ({ criterion, atoms }: Piece) => criterion !== null && textOf(atoms) === text
  const own = facts.counted.findLast(speaksOf)
  const before = facts.rows.findLast(speaksOf)
  const fix = criterionLine(facts.lines, n, before?.atoms)
  const stale = own && facts.stale.get(own.seq)
  if (state === 'met' && stale) return { n, text, state: 'stale', why: stale, fix }
  if (state === 'waived' || (state === 'met' && own?.state === 'passed')) return { n, text, state }
  if (state === 'unmet') return { n, text, state, ...because(own), fix }
  return { n, text, state: 'open', ...formerly('met', own ? undefined : before, facts), fix }
}

/** Whose it is, where it is not of the one that was sent last. */
const formerly = (word: string, before: Piece | undefined, { spawn }: Facts): { why?: string } => {
  if (!before) return {}
  return {
    why: before.spawn ? `${word} by ${before.spawn}, not by ${spawn}` : `${word} before ${spawn} was sent`,
  }
}

/** The first line of the reason: what a program said at its end is in its log. */
const because = (piece: Piece | undefined): { why?: string } => {
  const line = piece?.reason?.split('\n')[0]?.replace(/:$/, '')
  return line ? { why: line } : {}
}

const textOf = (atoms: readonly Seen[]): string | undefined =>
  atoms.flatMap((atom) => (atom.kind === 'criterion' ? [atom.text] : []))[0]
