import type { Range } from '../../markdown/blocks.ts'
import { type CodeAndRows, codeAndRows } from '../../markdown/code.ts'
import { isDigit, isLetter, isUpper } from './characters.ts'
import { commandWords } from './command-words.ts'
import { referenceEnd } from './reference.ts'

/** `cell`: it stands in a table, where a `|` would end it. */
export type Token = { start: number; end: number; cell: boolean } & (
  | { kind: 'name'; name: string; form: 'braces' | 'dollar' }
  | { kind: 'file'; path: string }
  | { kind: 'glob'; pattern: string }
  | { kind: 'command'; words: string[] }
  /** `name` where it is a name that is kept from being filled in. */
  | { kind: 'escape'; literal: string; name?: string }
)

/** Finds the tokens of a text in order. By hand and linear: a pattern for `{{NAME}}` took 24 seconds on 80 KB of `{{`. */
export const scan = (text: string): Token[] => {
  if (!openers.some((opener) => text.includes(opener))) return []
  const tokens: Token[] = []
  // Most texts are done without: it is asked for at the first token whose meaning hangs on it.
  let markdown: CodeAndRows | undefined
  const read = (): CodeAndRows => (markdown ??= codeAndRows(text))
  const codeAt = cursor(() => read().code)
  const rowAt = cursor(() => read().rows)
  const mayBeRow = barred(text)
  const tokenAt = (at: number): Found | undefined => {
    const char = text[at]
    if (char === '{') return braces(text, at)
    if (char === '$') return dollar(text, at)
    if ((char !== '@' && char !== '!') || codeAt(at) || isJoined(text, at)) return undefined
    if (char === '@') return reference(text, at)
    const span = codeAt(at + 1)
    return span?.start === at + 1 && span.ticks === 1 ? command(text, at, span.end) : undefined
  }
  const next = candidates(text)
  for (let at = next(0); at < text.length; ) {
    const escaped = text[at] === '\\'
    const found = tokenAt(escaped ? at + 1 : at)
    if (found)
      tokens.push(
        Object.assign(escaped ? kept(text, at, found) : found, {
          cell: mayBeRow(at) && rowAt(at) !== undefined,
        }),
      )
    at = next(found?.end ?? at + 1)
  }
  return tokens
}

const openers = ['{{', '${', '@', '!`']

/** Where the next token could start. Each opener is looked for by itself: the runtime does that faster than any loop. */
const candidates = (text: string) => {
  const places = starts.map((char) => ({ char, at: text.indexOf(char) }))
  return (from: number): number => {
    let first = text.length
    for (const place of places) {
      if (place.at >= 0 && place.at < from) place.at = text.indexOf(place.char, from)
      if (place.at >= 0 && place.at < first) first = place.at
    }
    return first
  }
}

const starts = ['\\', '{', '$', '@', '!']

/** A quick no for places in lines that are in no table, each line looked at once. */
const barred = (text: string) => {
  let end = -1
  let hasBar = false
  return (at: number): boolean => {
    if (at <= end) return hasBar
    const next = text.indexOf('\n', at)
    end = next < 0 ? text.length : next
    hasBar = text.slice(text.lastIndexOf('\n', at) + 1, end).includes('|')
    return hasBar
  }
}

type WithoutCell<T> = T extends unknown ? Omit<T, 'cell'> : never
type Found = WithoutCell<Token>

/** Answers which stretch a place is in, for places that go back by one at most. */
const cursor = <S extends Range>(of: () => readonly S[]) => {
  let next = 0
  return (at: number): S | undefined => {
    const stretches = of()
    while (next < stretches.length && stretches[next]!.end < at) next++
    const here = stretches[next]?.end === at ? stretches[next + 1] : stretches[next]
    return here && here.start <= at ? here : undefined
  }
}

const braces = (text: string, start: number): Found | undefined => {
  if (text[start + 1] !== '{') return undefined
  const from = skipBlanks(text, start + 2)
  const to = nameEnd(text, from)
  if (to === from) return undefined
  const close = skipBlanks(text, to)
  if (!text.startsWith('}}', close)) return undefined
  return { kind: 'name', form: 'braces', name: text.slice(from, to), start, end: close + 2 }
}

const dollar = (text: string, start: number): Found | undefined => {
  if (text[start + 1] !== '{') return undefined
  const from = start + 2
  const to = nameEnd(text, from)
  if (to === from || text[to] !== '}') return undefined
  return { kind: 'name', form: 'dollar', name: text.slice(from, to), start, end: to + 1 }
}

const skipBlanks = (text: string, from: number): number => {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

const nameEnd = (text: string, from: number): number => {
  if (!isUpper(text.charCodeAt(from))) return from
  for (let at = from + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (!isUpper(code) && !isDigit(code) && text[at] !== '_') return at
  }
}

/** Part of an address, of a longer path, or of a word: `ada@example.org`, `node_modules/@types/x.d.ts`. */
const isJoined = (text: string, at: number): boolean => {
  if (at === 0) return false
  const before = text.charCodeAt(at - 1)
  return isLetter(before) || isDigit(before) || '_/@'.includes(text[at - 1]!)
}

const reference = (text: string, start: number): Found | undefined => {
  const end = referenceEnd(text, start + 1)
  if (end === undefined) return undefined
  const path = text.slice(start + 1, end)
  return path.includes('*') ? { kind: 'glob', pattern: path, start, end } : { kind: 'file', path, start, end }
}

const command = (text: string, start: number, end: number): Found | undefined => {
  const line = text.slice(start + 2, end - 1)
  return line.includes('\n') ? undefined : { kind: 'command', words: commandWords(line), start, end }
}

const kept = (text: string, start: number, token: Found): Found => ({
  kind: 'escape',
  literal: text.slice(start + 1, token.end),
  ...(token.kind === 'name' && { name: token.name }),
  start,
  end: token.end,
})
