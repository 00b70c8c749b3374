import type { ObservedAtom } from './observed-atom.ts'
import type { EvidenceRow } from './sql.ts'

export interface Evidence extends Omit<EvidenceRow, 'atoms'> {
  atoms: ObservedAtom[]
}

export const readEvidence = (row: EvidenceRow): Evidence => ({
  ...row,
  atoms: JSON.parse(row.atoms) as ObservedAtom[],
})

/** Returns the untracked files that were written by tool runs, as recorded in evidence. */
export const filesMadeByRuns = (rows: readonly Pick<Evidence, 'atoms'>[]): string[] => [
  ...new Set(
    rows.flatMap(({ atoms }) => atoms.flatMap((atom) => (atom.kind === 'tool' ? (atom.made ?? []) : []))),
  ),
]
