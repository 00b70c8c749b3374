export const positions = ['accept', 'reject', 'abstain'] as const
export type Position = (typeof positions)[number]

export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

export interface Conflict {
  with: string
  severity: Severity
}

/** Parses a conflict such as `no daemon:high`. The severity follows the last colon. */
export const parseConflict = (text: string): Conflict | undefined => {
  const at = text.lastIndexOf(':')
  const last = text
    .slice(at + 1)
    .trim()
    .toLowerCase()
  const severity = severities.find((word) => word === last)
  const other = text.slice(0, Math.max(0, at)).trim()
  return severity && other !== '' ? { with: other, severity } : undefined
}

/** Returns the option that a voter means: by its exact name, else by its number, counted from 1. */
export const optionNamed = (given: string, options: readonly string[]): string | undefined => {
  if (options.includes(given)) return given
  const n = Number(given)
  return String(n) === given && Number.isInteger(n) ? options[n - 1] : undefined
}
