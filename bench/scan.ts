import { fill } from '../src/prompt/tokens/fill.ts'
import { scan } from '../src/prompt/tokens/scan.ts'
import type { Row } from './table.ts'

const mib = 1024 * 1024
const rounds = 12

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
    ...Object.entries(shapes).map(([name, bit]) => doubling(`scan ${name}, 2 MiB / 1 MiB`, bit, scan)),
    doubling('fill names, 2 MiB / 1 MiB', shapes['names']!, (text) =>
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
 * Measures the thread's CPU time, because other processes do not affect it. This clock is coarse, so the times of many
 * rounds are added up.
 */
const doubling = (name: string, bit: string, work: (text: string) => unknown): Row => {
  const texts = [mib, 2 * mib].map((size) => textOf(size, bit))
  const spent = [0, 0]
  for (let round = 0; round < rounds; round++) {
    for (const [i, text] of texts.entries()) {
      const before = process.threadCpuUsage()
      work(text)
      const { user, system } = process.threadCpuUsage(before)
      spent[i]! += user + system
    }
  }
  return { name, values: [spent[1]! / spent[0]!] }
}

/**
 * The text starts with the token `@a.md`, because in a text without any token the scanner would not check which parts
 * are code.
 */
const textOf = (size: number, bit: string): string =>
  Buffer.concat([Buffer.from('@a.md\n'), Buffer.alloc(size, bit)]).toString()
