import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Token } from '../../src/prompt/tokens/scan.ts'

/**
 * Finds the tokens of a text the slow way: tries the pattern of every rule at every position, and lets mdast decide
 * what is code. Used to check the real scanner.
 */
export const referenceScan = (text: string): Token[] => {
  const tokens: Token[] = []
  const lines = linesOf(text)
  const code = codeOf(text, lines)
  for (let at = 0; at < text.length; ) {
    const line = lines.find(({ start, end }) => start <= at && at <= end)!
    const cell = line.row
    const escaped = text[at] === '\\'
    const token = tokenAt(text, escaped ? at + 1 : at, code)
    if (!token) at++
    else {
      if (!escaped) tokens.push({ ...token, start: at, cell } as Token)
      else {
        const name = 'name' in token ? { name: token.name } : {}
        tokens.push({
          kind: 'escape',
          literal: text.slice(at + 1, token.end),
          ...name,
          start: at,
          end: token.end,
          cell,
        })
      }
      at = token.end
    }
  }
  return tokens
}

const pathChars = String.raw`[A-Za-z0-9_\-./*+~\u00c0-\u1fff\u2070-\u2fff\u3040-\ufdff]`

const tokenAt = (text: string, at: number, code: readonly Span[]) => {
  const match = (pattern: RegExp) => {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    return sticky.exec(text)
  }
  const braces = match(/\{\{[ \t]*([A-Z][A-Z0-9_]*)[ \t]*\}\}/)
  if (braces) return { kind: 'name', form: 'braces', name: braces[1]!, end: at + braces[0].length } as const
  const dollar = match(/\$\{([A-Z][A-Z0-9_]*)\}/)
  if (dollar) return { kind: 'name', form: 'dollar', name: dollar[1]!, end: at + dollar[0].length } as const

  if (code.some(({ start, end }) => start <= at && at < end)) return undefined
  const reference = match(new RegExp(`(?<![A-Za-z0-9_/@])@(${pathChars}*)(?!${pathChars}|\\()`))
  if (reference) {
    const file = reference[1]!.replace(/[.*]+$/, '')
    if (/\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(file)) return referenced(file, at)
    const pattern = reference[1]!.replace(/\.+$/, '')
    if (pattern.includes('*')) return referenced(pattern, at)
  }
  const command = match(/(?<![A-Za-z0-9_/@])!`([^\n]*?)`(?!`)/)
  const span = code.find(({ start }) => start === at + 1)
  if (command && span && span.ticks === 1 && !text.slice(span.start, span.end).includes('\n'))
    return {
      kind: 'command',
      words: wordsOf(text.slice(span.start + 1, span.end - 1)),
      end: span.end,
    } as const
  return undefined
}

const referenced = (path: string, at: number) => {
  const end = at + 1 + path.length
  return path.includes('*')
    ? ({ kind: 'glob', pattern: path, end } as const)
    : ({ kind: 'file', path, end } as const)
}

const wordsOf = (line: string): string[] => {
  const isWhole = /^(?:[^"']|"[^"]*"|'[^']*')*$/.test(line)
  const words = line.match(/(?:[^ \t"']|"[^"]*"|'[^']*')+/g) ?? []
  return isWhole ? words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2')) : []
}

interface Span {
  start: number
  end: number
  /** The number of backticks. It is 0 for a fenced block. */
  ticks: number
}

interface Line {
  start: number
  end: number
  text: string
  row: boolean
  group: number
  fenced: boolean
}

/**
 * Splits a text into lines, and lets mdast say which lines are fenced code. All other lines get the number of their
 * group: a paragraph, a heading, a row of a table or a part of an indented code block. A code span never continues in
 * another group.
 */
const linesOf = (text: string): Line[] => {
  let start = 0
  const lines = text.split('\n').map((content): Line => {
    const line = { start, end: start + content.length, text: content }
    start = line.end + 1
    return { ...line, row: false, group: 0, fenced: false }
  })
  let group = 0
  const visit = (node: Node): void => {
    const { start, end } = node.position!
    const own = lines.slice(start.line - 1).filter((line) => line.start < end.offset!)
    if (node.type === 'code' && '`~'.includes(text[start.offset!]!))
      for (const line of own) line.fenced = true
    else if (['code', 'paragraph', 'heading'].includes(node.type)) {
      group++
      for (const [i, line] of own.entries()) {
        const content = i === 0 ? text.slice(start.offset, line.end) : line.text
        line.row = /^[ \t>]*\|/.test(content)
        if (line.row || own[i - 1]?.row || (node.type === 'code' && own[i - 1]?.text.trim() === '')) group++
        line.group = group
      }
    }
    node.children?.forEach(visit)
  }
  visit(fromMarkdown(text) as Node)
  return lines
}

interface Node {
  type: string
  position?: Record<'start' | 'end', { line: number; offset?: number }>
  children?: Node[]
}

const codeOf = (text: string, lines: readonly Line[]): Span[] => [
  ...lines.filter(({ fenced }) => fenced).map(({ start, end }) => ({ start, end: end + 1, ticks: 0 })),
  ...spansOf(text, lines),
]

/**
 * Finds code spans. A run of backticks opens a span, and the next run of the same length closes it. All other runs are
 * text.
 */
const spansOf = (text: string, lines: readonly Line[]): Span[] => {
  const spans: Span[] = []
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }))
  const groupAt = (at: number) => {
    const line = lines.find(({ start, end }) => start <= at && at <= end)!
    return line.fenced ? Symbol('none') : line.group
  }
  for (const run of runs) {
    if (spans.some(({ end }) => run.index < end)) continue
    const escaped = /(?<!\\)\\(\\\\)*$/.test(text.slice(0, run.index)) ? 1 : 0
    const ticks = run.length - escaped
    const group = groupAt(run.index)
    const closing = runs.find(
      ({ index, length }) => index > run.index && length === ticks && groupAt(index) === group,
    )
    if (closing) spans.push({ start: run.index + escaped, end: closing.index + ticks, ticks })
  }
  return spans
}
