import { printedCounts, withoutColours } from './printed-counts.ts'

export interface PrintedFailures {
  /** Undefined if the program did not say how many tests failed. */
  failed?: number
  /** The names of all failing tests; undefined if the output does not name every one of them. */
  names?: string[]
  /** Whether the output shows that at least one test ran. */
  ran: boolean
}

/**
 * If more tests failed than this, their names are not stored, and a later run is compared by its number of failures
 * only.
 */
const mostNames = 2000
const longestName = 300

/** Reads the failing tests from the output of Vitest, Jest, node --test, TAP, pytest, unittest, Go and Cargo. */
export const printedFailures = (output: string): PrintedFailures => {
  const lines = withoutColours(output)
    .split('\n')
    .filter((line) => line.length <= 2000)
  const counts = printedCounts(output)
  const found = new Set<string>()
  for (const read of readers) for (const name of read(lines)) found.add(name.slice(0, longestName).trim())
  const names = [...found].sort()
  const failed = counts?.failed
  const isComplete = names.length > 0 && names.length <= mostNames && names.length >= (failed ?? 0)
  const ran =
    (counts?.passed ?? 0) > 0 ||
    names.some((name) => !isBroken(name)) ||
    (names.length === 0 && (failed ?? 0) > 0) ||
    lines.some((line) => /^ok\s+\S+\s+(?:\d|\(cached\))/.test(line))
  return {
    ...(failed !== undefined ? { failed } : names.length > 0 && { failed: names.length }),
    ...((isComplete || failed === 0) && { names }),
    ran,
  }
}

/** Whether the name stands for a package or file that could not be loaded, so that none of its tests ran. */
const isBroken = (name: string): boolean => name.endsWith(brokenMark)
const brokenMark = ' (could not be loaded)'

type Reader = (lines: readonly string[]) => string[]

const matching =
  (pattern: RegExp, toName: (match: RegExpExecArray) => string): Reader =>
  (lines) =>
    lines.flatMap((line) => {
      const match = pattern.exec(line)
      return match ? [toName(match)] : []
    })

/** Reads lines such as ` FAIL  src/a.test.ts > group > test`. */
const vitest = matching(/^\s*FAIL\s+(\S+\.\w+ > .+?)\s*$/, ([, name]) => name!)
const vitestFile = matching(/^\s*FAIL\s+(\S+\.\w+) \[ .* \]\s*$/, ([, name]) => name! + brokenMark)

/** Reads `FAIL src/a.test.js`, and then `● group › test` for each failing test of the file. */
const jest: Reader = (lines) => {
  let file = ''
  return lines.flatMap((line) => {
    file = /^(?:FAIL|PASS)\s+(\S+\.\w+)(?: \(.*\))?\s*$/.exec(line)?.[1] ?? file
    const name = /^\s{1,4}● (.+?)\s*$/.exec(line)?.[1]
    if (name === undefined || file === '' || name.startsWith('Console')) return []
    return [name === 'Test suite failed to run' ? file + brokenMark : `${file} › ${name}`]
  })
}

/** Reads `FAILED tests/test_a.py::test_b - AssertionError` and `ERROR tests/test_a.py` in the short summary. */
const pytest = matching(/^(?:FAILED|ERROR) (\S+?\.py\S*(?:\[.*?\])?)(?: - .*)?$/, ([, name]) =>
  name!.includes('::') ? name! : name! + brokenMark,
)

/** Reads `FAIL: test_b (tests.test_a.Case.test_b)`. For a subtest, `(i=1)` follows. */
const unittest = matching(/^(?:FAIL|ERROR): (\S+) \(([\w.<>]+)\)( .*)?$/, ([, name, place, subtest = '']) => {
  if (place!.includes('_FailedTest')) return name! + brokenMark
  return (place!.endsWith(`.${name}`) ? place! : `${place}.${name}`) + subtest
})

/** Reads `--- FAIL: TestA (0.00s)` and, after the tests of a package, `FAIL	example.com/a	0.01s`. */
const go: Reader = (lines) => {
  const found: string[] = []
  let open: string[] = []
  for (const line of lines) {
    const test = /^\s*--- FAIL: (\S+) \(/.exec(line)?.[1]
    const failed = /^FAIL\t(\S+)(?:\t| \[(.+)\])/.exec(line)
    if (test) open.push(test)
    if (failed) {
      const [, name, why] = failed
      found.push(...(why || open.length === 0 ? [name! + brokenMark] : open.map((each) => `${name} ${each}`)))
    }
    if (failed || /^ok\s+\S+\s/.test(line)) open = []
  }
  return found
}

/** Reads `test module::name ... FAILED` after a line `Running tests/a.rs (target/…)`. */
const cargo: Reader = (lines) => {
  let file = ''
  return lines.flatMap((line) => {
    file = /^\s*(?:Running|Doc-tests) (?:unittests )?(\S+)/.exec(line)?.[1] ?? file
    const name = /^test (.+?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1]
    return name === undefined ? [] : [`${file} ${name}`.trim()]
  })
}

/** Reads `not ok 3 - name`. Counts only the innermost of nested tests, because the level above repeats the failure. */
const tap: Reader = (lines) => {
  if (!lines.some((line) => /^(?:TAP version 1[34]|\s*1\.\.\d+)/.test(line))) return []
  const found: string[] = []
  let below: number | undefined
  for (const line of lines) {
    const match = /^(\s*)not ok(?: \d+)?(?: - )?\s*(.*?)(?:\s# (\w+).*)?$/.exec(line)
    if (!match || match[3]?.toLowerCase() === 'todo' || match[3]?.toLowerCase() === 'skip') continue
    const depth = match[1]!.length
    if (below === undefined || depth >= below) found.push(match[2]!)
    below = depth === 0 ? undefined : depth
  }
  return numbered(found)
}

/** Adds a number to names that occur more than once, because tests of several files can have the same name. */
const numbered = (names: readonly string[]): string[] => {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** Reads `✖ name (1.2ms)`, which node --test prints for each failing test below a heading. */
const nodeSpec: Reader = (lines) => {
  const start = lines.findIndex((line) => /^✖ failing tests:/.test(line))
  if (start < 0) return []
  return lines.slice(start + 1).flatMap((line, i, rest) => {
    const name = /^✖ (.+?) \([\d.]+ms\)\s*$/.exec(line)?.[1]
    const file = /^test at (.+?):\d+:\d+$/.exec(rest[i - 1] ?? '')?.[1]
    return name === undefined ? [] : [file ? `${file} ${name}` : name]
  })
}

const readers: readonly Reader[] = [vitest, vitestFile, jest, pytest, unittest, go, cargo, tap, nodeSpec]
