import { type Counts, type InvalidReport, noCounts, type TestReport, toTestReport } from './test-report.ts'

const maxDepth = 64

/** The tests of one level: the whole file, or one subtest. */
interface Level {
  counts: Counts
  points: number
  plan?: number
  numbers: Set<string>
}

export const isTap = (text: string): boolean => /^(?:TAP version 1[34]|1\.\.\d+)/m.test(text)

/** Reads TAP 13 and 14. For a test with subtests, only the subtests are counted. */
export const readTap = (report: string): TestReport | InvalidReport => {
  const levels: Level[] = [newLevel()]
  /** The line that ends the YAML block being skipped. */
  let yamlEnd: string | undefined
  for (const line of report.split('\n')) {
    const indent = blanksOf(line)
    const text = line.slice(indent).trimEnd()
    if (yamlEnd !== undefined) {
      if (line.trimEnd() === yamlEnd) yamlEnd = undefined
    } else if (text === '---' && indent > 0) {
      yamlEnd = `${line.slice(0, indent)}...`
    } else if (text.slice(0, 9).toLowerCase() === 'bail out!') {
      return { problem: `the run bailed out: ${text.slice(0, 100)}` }
    } else if (indent % 4 === 0) {
      const problem = addLine(levels, indent / 4, text)
      if (problem) return { problem: `the report ${problem}` }
    }
  }
  if (yamlEnd !== undefined) return { problem: 'the report is cut short within a block of YAML' }
  const problem = closeDownTo(levels, 0) ?? planProblem(levels[0]!)
  return problem ? { problem: `the report ${problem}` } : toTestReport('tap', levels[0]!.counts)
}

const newLevel = (): Level => ({ counts: noCounts(), points: 0, numbers: new Set() })

const addLine = (levels: Level[], depth: number, text: string): string | undefined => {
  const plan = /^1\.\.(\d+)(?:\s|$)/.exec(text)?.[1]
  const point = plan === undefined ? /^(not )?ok(?:\s+(\d+))?(?=\s|$)/.exec(text) : null
  if (plan === undefined && !point) return undefined
  if (depth > maxDepth) return `is nested deeper than ${maxDepth}`
  while (levels.length <= depth) levels.push(newLevel())
  const level = levels[depth]!
  if (point) return addPoint(levels, depth, { text, failed: point[1] !== undefined, number: point[2] })
  const problem = closeDownTo(levels, depth)
  if (problem) return problem
  if (level.plan !== undefined) return 'has two plans on one level'
  level.plan = Number(plan)
  return undefined
}

const addPoint = (
  levels: Level[],
  depth: number,
  { text, failed, number }: { text: string; failed: boolean; number: string | undefined },
): string | undefined => {
  const level = levels[depth]!
  level.points++
  if (number !== undefined && level.numbers.has(number)) return `has test ${number.slice(0, 20)} twice`
  if (number !== undefined) level.numbers.add(number)
  const directive = /(?<!\\)# *(skip|todo)/i.exec(text)?.[1]?.toLowerCase()
  const fails = failed && directive !== 'todo'
  const problem = closeDownTo(levels, depth + 1)
  if (problem) return problem
  const below = levels[depth + 1]?.counts
  if (!below || total(below) === 0) level.counts[fails ? 'failed' : directive ? 'skipped' : 'passed']++
  // A test can fail although its subtests passed, for example by an error after the last one. Count one failure.
  else if (fails && below.failed === 0) below.failed++
  // A todo test and its subtests may fail. These failures count as skipped.
  else if (directive === 'todo') Object.assign(below, { failed: 0, skipped: below.skipped + below.failed })
  return closeDownTo(levels, depth)
}

/** Ends the subtests below a level and adds their counts to that level. */
const closeDownTo = (levels: Level[], depth: number): string | undefined => {
  while (levels.length > depth + 1) {
    const closed = levels.pop()!
    const problem = planProblem(closed)
    if (problem) return problem
    const { counts } = levels.at(-1)!
    for (const outcome of ['passed', 'failed', 'skipped'] as const) counts[outcome] += closed.counts[outcome]
  }
  return undefined
}

const planProblem = ({ plan, points }: Level): string | undefined => {
  if (plan === undefined) return points > 0 ? 'is cut short: it has tests without a plan' : undefined
  return plan === points ? undefined : `says ${plan} tests, but lists ${points}`
}

const total = ({ passed, failed, skipped }: Counts): number => passed + failed + skipped

const blanksOf = (line: string): number => {
  let at = 0
  while (line.charCodeAt(at) === 32) at++
  return at
}
