import { fill } from '../src/prompt/tokens/fill.ts'
import { scan } from '../src/prompt/tokens/scan.ts'
import type { Row } from './table.ts'

const mib = 1024 * 1024
const rounds = 12
/** The rounds with the smaller text must take at least this many milliseconds in total. Shorter times vary too much. */
const leastTime = 200
const largestText = 32 * mib

/** Inputs that made a scanner slow in the past, or that could make it slow. */
const shapes: Record<string, string> = {
  'open braces': '{{',
  'names without an end': '{{A',
  'open braces and spaces': '{{      ',
  names: `{{TASK_ID}} \${A}\n`,
  'at signs': '@',
  'dots and stars': '@a.*.*..*.',
  backslashes: '\\',
  'uneven backticks': '` `` ',
  'open commands': '!` ``',
  'open fences': '```\n~~~~\n',
  'quotes and items': '> - ',
  'rows of a table': '| {{A}} | @a.md |\n',
}

/** Measures how much longer a text of twice the size takes. In linear time, the factor is 2. */
export const scanning = (): Row[] => {
  // Let the JIT compile for all shapes before any is measured.
  for (let round = 0; round < 3; round++) for (const bit of Object.values(shapes)) scan(textOf(mib, bit))
  return [
    ...Object.entries(shapes).map(([name, bit]) => doubling(`scan ${name}, twice the text`, bit, scan)),
    doubling('fill names, twice the text', shapes['names']!, (text) =>
      fill(
        { text, where: 'bench', kind: 'template', trusted: true },
        nothing,
        () => ({ text: 'T1' }),
        String,
      ),
    ),
  ]
}

const nothing = { references: new Map(), commands: new Map() }

/**
 * Measures the thread's CPU time, because other processes do not affect it. This clock is coarse. So the times of many
 * rounds are added up, and a text that takes too little time is made larger.
 */
const doubling = (name: string, bit: string, work: (text: string) => unknown): Row => {
  const spent = (text: string): number => {
    const before = process.threadCpuUsage()
    work(text)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  for (let size = mib; ; size *= 2) {
    const [once, twice] = [textOf(size, bit), textOf(2 * size, bit)]
    const total = [0, 0]
    for (let round = 0; round < rounds; round++) {
      total[0]! += spent(once)
      total[1]! += spent(twice)
    }
    if (total[0]! >= leastTime || size >= largestText) return { name, values: [total[1]! / total[0]!] }
  }
}

/**
 * The text starts with the token `@a.md`, because in a text without any token the scanner would not check which parts
 * are code.
 */
const textOf = (size: number, bit: string): string =>
  Buffer.concat([Buffer.from('@a.md\n'), Buffer.alloc(size, bit)]).toString()
