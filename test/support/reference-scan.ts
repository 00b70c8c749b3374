import type { Token } from '../../src/prompt/tokens/scan.ts'

/**
 * The tokens of a text, found slowly: every rule is a regular expression tried at every position, and which text is code
 * is computed from the whole text each time. The real scanner is compared with it.
 */
export const referenceScan = (text: string): Token[] => {
  const tokens: Token[] = []
  const lines = linesOf(text)
  for (let at = 0; at < text.length; ) {
    const line = lines.find(({ start, end }) => start <= at && at <= end)!
    const cell = line.row
    const escaped = text[at] === '\\'
    const token = tokenAt(text, escaped ? at + 1 : at, codeOf(text, lines))
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
  /** 0 for a fenced block. */
  ticks: number
}

interface Line {
  start: number
  end: number
  text: string
  row: boolean
  paragraph: number
  fenced: boolean
}

const itemMark = String.raw`(?:[-*+]|\d{1,9}[.)])(?=[ \t\r]|$)`

/** Every line with the paragraph it belongs to, or marked as fenced. */
const linesOf = (text: string): Line[] => {
  let start = 0
  let paragraph = 0
  let quotes = 0
  let ended = true
  let fence: { mark: string; length: number; column: number; quotes: number } | undefined
  return text.split('\n').map((content): Line => {
    const line = { start, end: start + content.length, text: content }
    start = line.end + 1
    if (fence) {
      const quoted = new RegExp(`^(?:[ \\t\\r]*>){${fence.quotes}}`).exec(content)?.[0]
      if (quoted !== undefined) {
        const inner = /^[ \t\r]*/.exec(content.slice(quoted.length))![0]
        const rest = content.slice(quoted.length + inner.length)
        const closing = new RegExp(`^${fence.mark}{${fence.length},}[ \\t\\r]*$`).test(
          rest.replace(/\s+$/, ''),
        )
        if (closing && widthOf(quoted + inner) <= fence.column + 3) fence = undefined
        return { ...line, row: false, paragraph, fenced: true }
      }
      fence = undefined
      ended = true
    }
    const prefix = new RegExp(`^(?:[ \\t\\r]|>|${itemMark})*`).exec(content)![0]
    const rest = content.slice(prefix.length)
    const depth = prefix.split('>').length - 1
    const opening = /^(`{3,})[^`]*$|^(~{3,})/.exec(rest)
    const alone = /^[#|]/.test(rest)
    const item = /[^ \t\r>]/.test(prefix)
    if (ended || opening || alone || item || rest === '' || depth !== quotes || /^(---|===)/.test(rest))
      paragraph++
    quotes = depth
    ended = alone
    if (opening) {
      const mark = opening[1] ?? opening[2]!
      fence = { mark: mark[0]!, length: mark.length, column: widthOf(prefix), quotes: depth }
    }
    return { ...line, row: rest.startsWith('|'), paragraph, fenced: opening !== null }
  })
}

const widthOf = (prefix: string): number => {
  let width = 0
  for (const char of prefix) width += char === '\t' ? 4 - (width % 4) : 1
  return width
}

const codeOf = (text: string, lines: readonly Line[]): Span[] => [
  ...lines.filter(({ fenced }) => fenced).map(({ start, end }) => ({ start, end: end + 1, ticks: 0 })),
  ...spansOf(text, lines),
]

/** The first run of backticks opens, the next one as long closes, and between them nothing counts. */
const spansOf = (text: string, lines: readonly Line[]): Span[] => {
  const spans: Span[] = []
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }))
  const paragraphAt = (at: number) => {
    const line = lines.find(({ start, end }) => start <= at && at <= end)!
    return line.fenced ? Symbol('none') : line.paragraph
  }
  for (const run of runs) {
    if (spans.some(({ end }) => run.index < end)) continue
    const escaped = /(?<!\\)\\(\\\\)*$/.test(text.slice(0, run.index)) ? 1 : 0
    const ticks = run.length - escaped
    const paragraph = paragraphAt(run.index)
    const closing = runs.find(
      ({ index, length }) => index > run.index && length === ticks && paragraphAt(index) === paragraph,
    )
    if (closing) spans.push({ start: run.index + escaped, end: closing.index + ticks, ticks })
  }
  return spans
}
