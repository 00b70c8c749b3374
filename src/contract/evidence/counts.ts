/** How many tests a program said it ran. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const words: Readonly<Record<string, keyof Counts>> = {
  passed: 'passed',
  passing: 'passed',
  pass: 'passed',
  failed: 'failed',
  failing: 'failed',
  fail: 'failed',
  failures: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  ignored: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
}

/**
 * Reads the sums out of what a test program wrote at its end, in any of the usual forms: `Tests  12 passed (12)`, `3 failed, 9
 * passed in 0.4s`, `# pass 12`, `12 passing`. Undefined where there are none: the exit status is what decides.
 */
export const countsIn = (output: string): Counts | undefined => {
  const lines = plain(output).split('\n').slice(-200)
  // Programs that count files, too, say on another line which of it is tests.
  const tests = lines.filter((line) => /^\s*tests?:?\s/i.test(line))
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  let found = false
  for (const line of tests.some(hasCount) ? tests : lines) {
    if (line.length > 500) continue
    for (const [number, word] of countsOf(line)) {
      counts[words[word]!] += number
      found = true
    }
  }
  return found ? counts : undefined
}

const hasCount = (line: string): boolean => countsOf(line).length > 0

/** A sum line says little else: prose with a number in it is none. */
const countsOf = (line: string): [number, string][] => {
  const before = [...line.matchAll(/(\d{1,9}) (\w+)/g)].map(([, n, word]) => [n!, word!] as const)
  const after = /^\s*[#ℹ]\s*(\w+) (\d{1,9})\s*$/.exec(line)
  const pairs = after ? [[after[2]!, after[1]!] as const] : isSum(line) ? before : []
  return pairs.flatMap(([n, word]) =>
    Object.hasOwn(words, word.toLowerCase()) ? [[Number(n), word.toLowerCase()] as [number, string]] : [],
  )
}

const isSum = (line: string): boolean =>
  /^[\s=]*(tests?:?\s|test result: \w+\.\s|)[\s|,;]*\d{1,9} [a-z]+/i.test(line)

const esc = String.fromCharCode(27)

/** Without colours. */
const plain = (output: string): string =>
  output
    .split(`${esc}[`)
    .map((piece, i) => (i === 0 ? piece : piece.replace(/^[\d;]*[A-Za-z]/, '')))
    .join('')
