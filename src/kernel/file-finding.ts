/** A problem in a file that people write. An error means that the file breaks a rule; a warning is advice. */
export interface FileFinding {
  level: 'error' | 'warning'
  file: string
  line?: number
  message: string
}

/** `line` is by default the line of the field. */
export type ReportFinding = (level: FileFinding['level'], key: string, message: string, line?: number) => void

export const reportInto =
  (
    findings: FileFinding[],
    file: string,
    fields: { get(key: string): { line: number } | undefined },
  ): ReportFinding =>
  (level, key, message, line = fields.get(key)?.line ?? 1) =>
    void findings.push({ level, file, line, message })

export const inLineOrder = (findings: readonly FileFinding[]): FileFinding[] =>
  findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))

export const isKebab = (name: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
