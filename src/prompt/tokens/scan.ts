import type { Range } from '../../markdown/blocks.ts'
import { type CodeAndRows, codeAndRows } from '../../markdown/code.ts'

/** `cell` is true if the token is in a table. In that case, each `|` in the token's value must be escaped. */
export type Token = { start: number; end: number; cell: boolean } & (
  | { kind: 'name'; name: string; form: 'braces' | 'dollar' }
  | { kind: 'file'; path: string }
  | { kind: 'glob'; pattern: string }
  | { kind: 'command'; words: string[] }
  /** `name` is set if the escaped token is a name token. */
  | { kind: 'escape'; literal: string; name?: string }
)

/** Finds the tokens of a text in linear time. A regular expression for `{{NAME}}` took 24 s on 80 KB of `{{`. */
export const scan = (text: string): Token[] => {
  if (!openers.some((opener) => text.includes(opener))) return []
  const tokens: Token[] = []
  // Parse the Markdown only at the first token that depends on it, because most texts have no such token.
  let markdown: CodeAndRows | undefined
  const read = (): CodeAndRows => (markdown ??= codeAndRows(text))
  const codeAt = cursor(() => read().code)
  const rowAt = cursor(() => read().rows)
  const mayBeRow = tableLineTest(text)
  const isAssigned = assignmentTest(text, codeAt)
  const tokenAt = (at: number): FoundToken | undefined => {
    const char = text[at]
    if (char === '{') return braces(text, at)
    if (char === '$') {
      const found = dollar(text, at)
      return found && isAssigned(found, at) ? undefined : found
    }
    if ((char !== '@' && char !== '!') || isJoined(text, at)) return undefined
    if (char === '@') {
      const found = reference(text, at)
      return found && !codeAt(at) ? found : undefined
    }
    if (text[at + 1] !== '`' || codeAt(at)) return undefined
    const span = codeAt(at + 1)
    return span?.start === at + 1 && span.ticks === 1 ? command(text, at, span.end) : undefined
  }
  const next = candidates(text)
  for (let at = next(0); at < text.length; ) {
    const escaped = text[at] === '\\'
    const found = tokenAt(escaped ? at + 1 : at)
    if (found)
      tokens.push(
        Object.assign(escaped ? escapeToken(text, at, found) : found, {
          cell: mayBeRow(at) && rowAt(at) !== undefined,
        }),
      )
    at = next(found?.end ?? at + 1)
  }
  return tokens
}

const openers = ['{{', '${', '@', '!`']

/**
 * Returns a function that finds the next possible start of a token. `indexOf` is faster than a loop over the
 * characters.
 */
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

/** Only a line with a `|` can be in a table. Each line is checked once. */
const tableLineTest = (text: string) => {
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

/**
 * Returns a function that says whether the code block around a `${NAME}` assigns that name. Such a `${NAME}` is a
 * variable of a shell script and not a token.
 */
const assignmentTest = (text: string, codeAt: (at: number) => Range | undefined) => {
  let anywhere: Set<string> | undefined
  const inBlock = new Map<number, Set<string>>()
  return (token: FoundToken, at: number): boolean => {
    if (token.kind !== 'name') return false
    anywhere ??= assignedNames(text)
    if (!anywhere.has(token.name)) return false
    const block = codeAt(at)
    if (!block) return false
    const names = inBlock.get(block.start) ?? assignedNames(text.slice(block.start, block.end))
    inBlock.set(block.start, names)
    return names.has(token.name)
  }
}

const assignedNames = (code: string): Set<string> => {
  const assigned = code.matchAll(
    /\b([A-Z][A-Z0-9_]*)[ \t]*[:?+]?=(?!=)|\bfor[ \t]+([A-Z][A-Z0-9_]*)[ \t]+in\b/g,
  )
  return new Set(Array.from(assigned, ([, name, looped]) => (name ?? looped)!))
}

type WithoutCell<T> = T extends unknown ? Omit<T, 'cell'> : never
type FoundToken = WithoutCell<Token>

/**
 * Returns a function that finds the range which contains a position. The calls must be made for ascending positions,
 * but a position may be one character before the previous one.
 */
const cursor = <S extends Range>(of: () => readonly S[]) => {
  let next = 0
  return (at: number): S | undefined => {
    const stretches = of()
    while (next < stretches.length && stretches[next]!.end < at) next++
    const here = stretches[next]?.end === at ? stretches[next + 1] : stretches[next]
    return here && here.start <= at ? here : undefined
  }
}

const braces = (text: string, start: number): FoundToken | undefined => {
  if (text[start + 1] !== '{') return undefined
  const from = skipBlanks(text, start + 2)
  const to = nameEnd(text, from)
  if (to === from) return undefined
  const close = skipBlanks(text, to)
  if (!text.startsWith('}}', close)) return undefined
  return { kind: 'name', form: 'braces', name: text.slice(from, to), start, end: close + 2 }
}

const dollar = (text: string, start: number): FoundToken | undefined => {
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

/** True if the `@` or `!` is part of an address, path or word: `ada@example.org`, `node_modules/@types/x.d.ts`. */
const isJoined = (text: string, at: number): boolean => {
  if (at === 0) return false
  const before = text.charCodeAt(at - 1)
  return isLetter(before) || isDigit(before) || '_/@'.includes(text[at - 1]!)
}

const reference = (text: string, start: number): FoundToken | undefined => {
  const end = referenceEnd(text, start + 1)
  if (end === undefined) return undefined
  const path = text.slice(start + 1, end)
  return path.includes('*') ? { kind: 'glob', pattern: path, start, end } : { kind: 'file', path, start, end }
}

const command = (text: string, start: number, end: number): FoundToken | undefined => {
  const line = text.slice(start + 2, end - 1)
  return line.includes('\n') ? undefined : { kind: 'command', words: commandWords(line), start, end }
}

const escapeToken = (text: string, start: number, token: FoundToken): FoundToken => ({
  kind: 'escape',
  literal: text.slice(start + 1, token.end),
  ...(token.kind === 'name' && { name: token.name }),
  start,
  end: token.end,
})

/** Returns undefined if no path or pattern follows the `@`. */
const referenceEnd = (text: string, from: number): number | undefined => {
  let to = from
  while (isOfPath(text.charCodeAt(to))) to++
  // A `(` after the name shows that it is a decorator: `@app.route("/")`.
  if (text[to] === '(') return undefined
  // Leave out a dot or a star after a file extension. The dot ends a sentence that mentions the path, and the star
  // ends Markdown emphasis around it. Elsewhere a star is part of a pattern.
  const named = endWithout('.*', text, from, to)
  if (hasExtension(text, from, named)) return named
  const end = endWithout('.', text, from, to)
  return text.slice(from, end).includes('*') ? end : undefined
}

/** A path ends at a space, a quote or punctuation, in any alphabet. */
const isOfPath = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  (code < 128 ? '_-./*+~'.includes(String.fromCharCode(code)) : isWord(code))

const isWord = (code: number): boolean =>
  code >= 0xc0 && code < 0xfe00 && !(code >= 0x2000 && code < 0x2070) && !(code >= 0x3000 && code < 0x3040)

const endWithout = (chars: string, text: string, from: number, to: number): number => {
  let end = to
  while (end > from && chars.includes(text[end - 1]!)) end--
  return end
}

const longestExtension = 10

/** An extension is a dot, then a letter, then only letters and digits up to the end. */
const hasExtension = (text: string, from: number, end: number): boolean => {
  for (let at = end - 1; at > from && end - at <= longestExtension; at--) {
    const code = text.charCodeAt(at)
    if (isLetter(code) && text[at - 1] === '.') return true
    if (!isLetter(code) && !isDigit(code)) return false
  }
  return false
}

/**
 * Splits a command into program and arguments. The command does not run in a shell, so quotes only keep words with
 * spaces together. Returns an empty list if a quote is not closed.
 */
const commandWords = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (const char of line) {
    if (char === quote) quote = ''
    else if (quote) word += char
    else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return quote ? [] : words
}

const isUpper = (code: number) => code >= 65 && code <= 90
const isDigit = (code: number) => code >= 48 && code <= 57
const isLetter = (code: number) => isUpper(code) || (code >= 97 && code <= 122)
