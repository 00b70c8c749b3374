export const positions = ['accept', 'reject', 'abstain'] as const
export type Position = (typeof positions)[number]

export const verdicts = ['proven', 'refuted', 'contested', 'insufficient'] as const
export type Verdict = (typeof verdicts)[number]

export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

/** After so many rounds without a verdict a person decides. */
export const rounds = 2

export interface Conflict {
  with: string
  severity: Severity
}

/** `no daemon:high`. The severity stands behind the last colon. */
export const parseConflict = (text: string): Conflict | undefined => {
  const at = text.lastIndexOf(':')
  const severity = severities.find(
    (word) =>
      word ===
      text
        .slice(at + 1)
        .trim()
        .toLowerCase(),
  )
  const other = text.slice(0, Math.max(0, at)).trim()
  return severity && other !== '' ? { with: other, severity } : undefined
}
