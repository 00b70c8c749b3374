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
  })
type Report = v.InferOutput<ReturnType<typeof findingsShape>>

/** Returns all findings together. If any of them is an error, the result is a refusal. */
export const reportFindings = (
  checked: number,
  findings: FileFinding[],
): Result<Report, 'content.invalid'> => {
  const errors = findings.filter(({ level }) => level === 'error').length
  if (errors === 0) return ok({ checked, findings })
  const problems = findings.map(({ level, message, ...location }) => ({
    path: locationOf(location),
    message: level === 'error' ? message : `warning: ${message}`,
  }))
  return fail('content.invalid', { errors, warnings: findings.length - errors, problems })
}

export const drawFindings =
  (word: string) =>
  ({ checked, findings }: Report, style: Style): string[] => [
    ...findings.map((finding) => `${style.yellow('warning')} ${locationOf(finding)}: ${finding.message}`),
    `${checked} ${word}${checked === 1 ? '' : 's'}, ${findings.length === 0 ? 'no problems' : 'no errors'}`,
  ]

const locationOf = ({ file, line }: Pick<FileFinding, 'file' | 'line'>): string =>
  line ? `${file}:${line}` : file
