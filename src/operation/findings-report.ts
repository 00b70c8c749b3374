import * as v from 'valibot'
import type { FileFinding } from '../kernel/file-finding.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'

export const findingsShape = () =>
  v.object({
    checked: v.number(),
    findings: v.array(
      v.object({
        level: v.picklist(['error', 'warning']),
        file: v.string(),
        line: v.optional(v.number()),
        message: v.string(),
      }),
    ),
    leftOut: v.optional(v.number()),
  })
type Report = v.InferOutput<ReturnType<typeof findingsShape>>

/** Findings that an answer shows; the others are only counted. */
const mostFindings = 100

/** Returns all findings together. If any of them is an error, the result is a refusal. */
export const reportFindings = (
  checked: number,
  findings: FileFinding[],
): Result<Report, 'content.invalid'> => {
  const errors = findings.filter(({ level }) => level === 'error').length
  if (errors === 0) {
    const leftOut = findings.length - mostFindings
    return ok({ checked, findings: findings.slice(0, mostFindings), ...(leftOut > 0 && { leftOut }) })
  }
  const problems = findings.map(({ level, message, ...location }) => ({
    path: locationOf(location),
    message: level === 'error' ? message : `warning: ${message}`,
  }))
  return fail('content.invalid', { errors, warnings: findings.length - errors, problems })
}

export const drawFindings =
  (word: string) =>
  ({ checked, findings, leftOut }: Report, style: Style): string[] => [
    ...findings.map((finding) => `${style.yellow('warning')} ${locationOf(finding)}: ${finding.message}`),
    ...(leftOut ? [`and ${leftOut} more warnings`] : []),
    `${checked} ${word}${checked === 1 ? '' : 's'}, ${findings.length === 0 ? 'no problems' : 'no errors'}`,
  ]

const locationOf = ({ file, line }: Pick<FileFinding, 'file' | 'line'>): string =>
  line ? `${file}:${line}` : file
