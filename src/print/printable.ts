// A function, so that the pattern is compiled only when it is needed, because every command loads this file.
const controls = () =>
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is matched by itself
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

const visible = (char: string, at: number, text: string): string => {
  if (char === '\t') return '  '
  return isJoiner(text, at) ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`
}

/**
 * Whether a zero-width joiner or non-joiner stands between two characters that need it, as in Persian, Indic scripts
 * and emoji. Between ASCII letters it has no meaning and could only hide text.
 */
const isJoiner = (text: string, at: number): boolean =>
  (text[at] === '\u200c' || text[at] === '\u200d') &&
  /[[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]--\p{ASCII}]$/v.test(
    text.slice(Math.max(0, at - 2), at),
  ) &&
  /^[[\p{L}\p{M}\p{Extended_Pictographic}]--\p{ASCII}]/v.test(text.slice(at + 1, at + 3))

/** Escapes every character that a terminal would act on. Keeps line breaks if `lines` is set. */
export const printable = (text: string, lines = false): string => {
  if (isPlain(text, lines)) return text
  const safe = text.replace(controls(), visible)
  return lines ? safe : safe.replaceAll('\n', '\\n')
}

/** Whether a text is printable ASCII, as most text is. This check is faster than compiling the pattern. */
const isPlain = (text: string, lines: boolean): boolean => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7e || (code < 0x20 && !(lines && code === 0x0a))) return false
  }
  return true
}

/** Like `printable`, but keeps line breaks and tabs, for text that is also parsed. */
export const readable = (text: string): string =>
  text
    .split('\t')
    .map((piece) => printable(piece, true))
    .join('\t')

const isMultiline = (key: string): boolean => {
  switch (key) {
    case 'description':
    case 'text':
    case 'notes':
    case 'drawing':
    case 'document':
    case 'key_findings':
    case 'needs_followup':
      return true
    default:
      return false
  }
}

/** All output for people goes through this function. */
export const printableData = <T>(data: T): T =>
  typeof data === 'object' && data !== null && isPlainAnswer(data) ? data : printableParts(data, false)

/**
 * Whether an answer contains only printable ASCII. Line breaks are allowed in the top-level fields that can have
 * several lines. Checks the JSON of the answer, because functions of the engine are faster than a loop over every
 * character. `JSON.stringify` writes a backslash for every control character except U+007F. It also writes a backslash
 * before a quotation mark and before a backslash. So an answer with one of these two characters is treated as not
 * plain. This is safe, and only takes longer.
 */
const isPlainAnswer = (data: object): boolean => {
  const text = JSON.stringify(data)
  if (new TextEncoder().encode(text).length > text.length || text.includes('\u007f')) return false
  if (!text.includes('\\')) return true
  const pieces = text.split('\\n')
  for (const piece of pieces) if (piece.includes('\\')) return false
  let breaks = pieces.length - 1
  for (const [key, value] of Object.entries(data))
    if (typeof value === 'string' && isMultiline(key)) breaks -= value.split('\n').length - 1
  return breaks === 0
}

const printableParts = <T>(data: T, lines: boolean): T => {
  if (typeof data === 'string') return printable(data, lines) as T
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) {
    if (data.length > fewItems && isPlainData(data)) return data
    const items: unknown[] = []
    for (const item of data) items.push(printableParts(item, lines))
    return items as T
  }
  const fields: Record<string, unknown> = {}
  for (const key in data) setField(fields, printable(key), printableParts(data[key], isMultiline(key)))
  return fields as T
}

/** In a list of at most this many items, checking each item is faster than compiling the pattern of `isPlainData`. */
const fewItems = 4

/**
 * Whether data contains only printable ASCII, without line breaks. `JSON.stringify` writes a control character as a
 * backslash and a letter, so the pattern also looks for a backslash.
 */
const isPlainData = (data: object): boolean => !/[^ -~]|\\[^"\\]/.test(JSON.stringify(data))

/** Sets a field, even one with a special name such as `__proto__`. */
const setField = (fields: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true })
  else fields[key] = value
}

const mostShown = 80

export const beginning = (text: string): string => {
  const line = printable([...text.slice(0, 2 * mostShown).toWellFormed()].slice(0, mostShown).join(''))
  const cut = [...line].slice(0, mostShown).join('')
  return cut.length < line.length || text.length > 2 * mostShown ? `${cut}…` : cut
}
