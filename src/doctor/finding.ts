import type { Problem } from '../kernel/result.ts'

/** What is wrong, from the gravest on: the store is damaged, a setting, a file, or what the rows say. */
export const kinds = ['damage', 'config', 'file', 'state'] as const
export type Kind = (typeof kinds)[number]

export interface Finding {
  kind: Kind
  severity: 'error' | 'warning'
  /** What was found, as the start of a sentence. */
  what: string
  /** Why it matters, as the rest of it. */
  why: string
  where?: string
  /** What to do about it, where no command can. */
  advice?: string
  /** A command to run next; it destroys nothing. */
  fix?: string
  /** Whether `--fix` mends it. */
  mendable: boolean
}

/** A finding with the check it comes from. */
export interface Found extends Finding {
  check: string
}

export const mendFix = 'cleo doctor --fix'

/** A finding that `--fix` mends. */
export const mendable = (finding: Omit<Finding, 'mendable' | 'fix' | 'advice'>): Finding => ({
  ...finding,
  fix: mendFix,
  mendable: true,
})

/** One that a person has to decide on. */
export const open = (finding: Omit<Finding, 'mendable'>): Finding => ({ ...finding, mendable: false })

/** `T001, T002 and 7 more`: what is known, never a list without end. */
export const named = (names: readonly string[], total = names.length, most = 5): string => {
  const shown = names.slice(0, most)
  const left = total - shown.length
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')
}

/** What a list says behind its first item when it is cut short. */
export const andMore = (index: number, total: number, most: number): string =>
  index === 0 && total > most ? ` (and ${total - most} more like it)` : ''

export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

/** In a refusal, with what a program wants to know besides. */
export interface Complaint extends Problem {
  severity: Finding['severity']
  where?: string
  mendable: boolean
}

export const complaint = ({
  check,
  severity,
  what,
  why,
  where,
  advice,
  fix,
  mendable,
}: Found): Complaint => ({
  path: check,
  message: `${severity === 'warning' ? 'warning: ' : ''}${what} – ${why}${advice ? `. ${advice}` : ''}`,
  ...(fix && { fix }),
  severity,
  ...(where && { where }),
  mendable,
})

/** The gravest first; what only warns comes last. */
export const inOrder = (found: readonly Found[]): Found[] => {
  const weight = ({ severity, kind }: Found) =>
    (severity === 'error' ? 0 : kinds.length) + kinds.indexOf(kind)
  return found.toSorted((a, b) => weight(a) - weight(b))
}
