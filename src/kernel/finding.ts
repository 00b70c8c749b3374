/** Something wrong with a file that people write. An error breaks a rule; a warning is advice. */
export interface Finding {
  level: 'error' | 'warning'
  file: string
  line?: number
  message: string
}

/** Says what is wrong with a field, on the line where it stands or on another one that is known. */
export type Say = (level: Finding['level'], key: string, message: string, line?: number) => void

export const sayInto =
  (findings: Finding[], file: string, fields: { get(key: string): { line: number } | undefined }): Say =>
  (level, key, message, line = fields.get(key)?.line ?? 1) =>
    void findings.push({ level, file, line, message })

export const inLineOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))

export const isKebab = (name: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
