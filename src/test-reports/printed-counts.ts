/** How many tests passed, failed and were skipped, according to the output of a program. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const outcomes: Readonly<Record<string, keyof Counts>> = {
  passed: 'passed',
  passing: 'passed',
  pass: 'passed',
  failed: 'failed',
  failing: 'failed',
  fail: 'failed',
  failures: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  ignored: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
}

/**
 * Reads the counts at the end of a test program's output. Understands the usual forms: `Tests  12 passed (12)`,
 * `3 failed, 9 passed in 0.4s`, `# pass 12`, `12 passing`. Returns undefined if the program printed no counts.
 */
export const printedCounts = (output: string): Counts | undefined => {
  const lines = withoutColours(output).split('\n').slice(-200)
  const ofUnittest = unittestCounts(lines)
  if (ofUnittest) return ofUnittest
  // Some programs print one line about files and one line about tests. The line about tests begins with `Tests`.
  const tests = lines.filter((line) => /^\s*tests?:?\s/i.test(line))
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  let found = false
  for (const line of tests.some(hasCount) ? tests : lines) {
    if (line.length > 500) continue
    for (const [number, word] of countsOf(line)) {
      counts[outcomes[word]!] += number
      found = true
    }
  }
  return found ? counts : undefined
}

/**
 * Returns how the printed counts contradict an exit status of 0. Returns undefined if they do not contradict it. Uses
 * only the counts that were printed last, because a program that tests other test programs prints the counts of those
 * programs first.
 */
export const contradictionIn = (output: string): string | undefined => {
  const counts = printedCounts(output)
  const lines = withoutColours(output).split('\n').slice(-200)
  if (lines.some((line) => /^\s*no tests? (files )?found\b/i.test(line))) return 'it found no tests'
  if (!counts) return undefined
  if (unittestCounts(lines) && counts.passed + counts.failed + counts.skipped === 0)
    return 'it says that it ran 0 tests'
  const end = lines.findLastIndex(hasCount)
  let start = end
  while (start > 0 && (hasCount(lines[start - 1]!) || /^\s*[#ℹ]\s/.test(lines[start - 1]!))) start--
  const last = lines.slice(start, end + 1).flatMap(countsOf)
  const countOf = (kind: string) => last.reduce((sum, [n, word]) => sum + (word.startsWith(kind) ? n : 0), 0)
  // A count such as "3 errors" can be about anything. So ignore the last counts unless they include passed tests.
  if (!last.some(([, word]) => word.startsWith('pass'))) return undefined
  const [passed, failed] = [countOf('pass'), countOf('fail') - countOf('failures')]
  if (failed > 0) return `it says ${failed} failed, ${passed} passed`
  return counts.passed + counts.failed + counts.skipped === 0 ? 'it says that it ran 0 tests' : undefined
}

/**
 * Returns the line in which make says that it did not run a target. Returns undefined if make ran all targets, or if
 * the output says that tests passed.
 */
export const skippedByMake = (output: string, targets: readonly string[]): string | undefined => {
  const lines = withoutColours(output).split('\n')
  const said = lines.flatMap((line) => {
    const [, upToDate, nothing] =
      /^make(?:\[\d+\])?: (?:['`](.+)' is up to date|Nothing to be done for ['`](.+)')\.$/.exec(
        line.trim(),
      ) ?? []
    return targets.includes(upToDate ?? nothing ?? '') ? [line.trim()] : []
  })[0]
  return said !== undefined && (printedCounts(output)?.passed ?? 0) === 0
    ? `it ran nothing: ${said}`
    : undefined
}

/** Reads the last lines of Python's unittest: `Ran 5 tests in 0.1s`, then `FAILED (failures=1, errors=1)` or `OK`. */
const unittestCounts = (lines: readonly string[]): Counts | undefined => {
  const at = lines.findLastIndex((line) => /^Ran \d+ tests? in /.test(line))
  if (at < 0) return undefined
  const total = Number(/\d+/.exec(lines[at]!)![0])
  const result = lines.slice(at + 1).find((line) => line.trim() !== '') ?? ''
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(result)?.[1] ?? 0)
  const failed = count('failures') + count('errors') + count('unexpected successes')
  const skipped = count('skipped') + count('expected failures')
  return { passed: Math.max(0, total - failed - skipped), failed, skipped }
}

const hasCount = (line: string): boolean => countsOf(line).length > 0

/** Returns the counts in a line, each with its word. A sentence that happens to contain a number has no counts. */
const countsOf = (line: string): [number, string][] => {
  const before = [...line.matchAll(/(\d{1,9}) (\w+)/g)].map(([, n, word]) => [n!, word!] as const)
  const after = /^\s*[#ℹ]\s*(\w+) (\d{1,9})\s*$/.exec(line)
  const pairs = after ? [[after[2]!, after[1]!] as const] : isCountLine(line) ? before : []
  return pairs.flatMap(([n, word]) =>
    Object.hasOwn(outcomes, word.toLowerCase()) ? [[Number(n), word.toLowerCase()] as [number, string]] : [],
  )
}

const isCountLine = (line: string): boolean =>
  /^[\s=]*(tests?:?\s|test result: \w+\.\s|)[\s|,;]*\d{1,9} [a-z]+/i.test(line)

const esc = String.fromCharCode(27)

export const withoutColours = (output: string): string =>
  output
    .split(`${esc}[`)
    .map((piece, i) => (i === 0 ? piece : piece.replace(/^[\d;]*[A-Za-z]/, '')))
    .join('')
