import type { Problem } from '../kernel/result.ts'

/**
 * The kinds of findings, most serious first: a damaged store, a wrong setting, a wrong file, rows that contradict each
 * other.
 */
export const findingKinds = ['damage', 'config', 'file', 'state'] as const
export type FindingKind = (typeof findingKinds)[number]

export interface DoctorFinding {
  kind: FindingKind
  severity: 'error' | 'warning'
  /** What is wrong, as the first half of a sentence. */
  what: string
  /** Why the problem matters, as the second half of the sentence. */
  why: string
  where?: string
  /** What a person should do, if no command can do it. */
  advice?: string
  /** A command to run next. It must never destroy data. */
  fix?: string
  /** Whether `cleo doctor --fix` fixes this finding. */
  fixable: boolean
}

export interface CheckFinding extends DoctorFinding {
  check: string
}

export const fixCommand = 'cleo doctor --fix'

export const fixableFinding = (
  finding: Omit<DoctorFinding, 'fixable' | 'fix' | 'advice'>,
): DoctorFinding => ({
  ...finding,
  fix: fixCommand,
  fixable: true,
})

/** A finding that a person has to decide on. */
export const manualFinding = (finding: Omit<DoctorFinding, 'fixable'>): DoctorFinding => ({
  ...finding,
  fixable: false,
})

/** At most this many rows, files or names are reported per check. */
export const mostShown = 5

/** Joins names into a text such as `T001, T002 and 7 more`. */
export const listNames = (names: readonly string[], total = names.length): string => {
  const shown = names.slice(0, mostShown)
  const left = total - shown.length
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')
}

export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

/** The form in which doctor's refusal lists a finding. The fields that are added to `Problem` are for programs. */
export interface DoctorProblem extends Problem {
  severity: DoctorFinding['severity']
  where?: string
  fixable: boolean
}

export const toProblem = ({
  check,
  severity,
  what,
  why,
  where,
  advice,
  fix,
  fixable,
}: CheckFinding): DoctorProblem => ({
  path: check,
  message: `${severity === 'warning' ? 'warning: ' : ''}${what} – ${why}${advice ? `. ${advice}` : ''}`,
  ...(fix && { fix }),
  severity,
  ...(where && { where }),
  fixable,
})

/** Sorts findings: errors before warnings, and the most serious kind first. */
export const bySeverity = (findings: readonly CheckFinding[]): CheckFinding[] => {
  const weight = ({ severity, kind }: CheckFinding) =>
    (severity === 'error' ? 0 : findingKinds.length) + findingKinds.indexOf(kind)
  return findings.toSorted((a, b) => weight(a) - weight(b))
}
