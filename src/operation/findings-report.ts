import * as v from 'valibot'
import type { FileFinding } from '../kernel/file-finding.ts'
import { fail, ok, type Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'

export const findingsShape = () =>
  v.object({
    /** How many files or entries were checked. */
    checked: v.number(),
    findings: v.array(
      v.object({
        level: v.picklist(['error', 'warning']),
        file: v.string(),
        line: v.optional(v.number()),
        message: v.string(),
      }),
    ),
    /** How many findings are not listed. */
    leftOut: v.optional(v.number()),
  })
type Report = v.InferOutput<ReturnType<typeof findingsShape>>

/** In a report without errors and without pages, at most this many warnings are listed. */
const mostFindings = 100

/** Which page of the findings is shown, and the command that shows the next page. */
interface FindingsPage {
  command: string
  /** What was checked, such as `skill`. */
  noun: string
  limit: number
  after: number
}

/** The page lists errors first. If there is any error, the result is a refusal. */
export const reportFindings = (
  checked: number,
  findings: readonly FileFinding[],
  page?: FindingsPage,
): Result<Report, 'content.invalid'> => {
  const errors = findings.filter(({ level }) => level === 'error')
  const ordered = page ? [...errors, ...findings.filter(({ level }) => level !== 'error')] : findings
  const { limit = errors.length > 0 ? findings.length : mostFindings, after = 0 } = page ?? {}
  const shown = ordered.slice(after, after + limit)
  const next = after + shown.length
  const isMore = next < findings.length
  if (errors.length === 0)
    return ok(
      { checked, findings: shown, ...(!page && isMore && { leftOut: findings.length - next }) },
      page ? { page: { total: findings.length, limit, ...(isMore && { next: String(next) }) } } : {},
    )
  const problems = shown.map(({ level, message, ...location }) => ({
    path: locationOf(location),
    message: level === 'error' ? message : `warning: ${message}`,
  }))
  return fail('content.invalid', {
    errors: errors.length,
    warnings: findings.length - errors.length,
    problems,
    ...(page && { checked: `${checked} ${page.noun}${checked === 1 ? '' : 's'}` }),
    ...(page && isMore && { next: `${page.command} --after ${next}` }),
  })
}

export const drawFindings =
  (word: string) =>
  ({ checked, findings, leftOut }: Report, style: Style): string[] => [
    `${checked} ${word}${checked === 1 ? '' : 's'}, ${findings.length === 0 ? 'no problems' : 'no errors'}`,
    ...findings.map((finding) => `${style.yellow('warning')} ${locationOf(finding)}: ${finding.message}`),
    ...(leftOut ? [`and ${leftOut} more warnings`] : []),
  ]

const locationOf = ({ file, line }: Pick<FileFinding, 'file' | 'line'>): string =>
  line ? `${file}:${line}` : file
