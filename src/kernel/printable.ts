const controls =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself, wherever it stands
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

const visible = (char: string) => (char === '\t' ? '  ' : `\\u{${char.codePointAt(0)!.toString(16)}}`)

/** Text with nothing in it that a terminal would act on. Line breaks stay where the text may have lines. */
export const printable = (text: string, lines = false): string => {
  const safe = text.replace(controls, visible)
  return lines ? safe : safe.replaceAll('\n', '\\n')
}

/** The same for text that is read and not only shown: lines and tabs stay as they are. */
export const readable = (text: string): string =>
  text
    .split('\t')
    .map((piece) => printable(piece, true))
    .join('\t')

const multiline = new Set([
  'description',
  'text',
  'notes',
  'drawing',
  'document',
  'key_findings',
  'needs_followup',
])

/** The same answer with every string in it harmless: what people see never comes from anywhere else. */
export const printableData = <T>(data: T, lines = false): T => {
  if (typeof data === 'string') return printable(data, lines) as T
  if (Array.isArray(data)) return data.map((item) => printableData(item, lines)) as T
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [printable(key), printableData(value, multiline.has(key))]),
  ) as T
}
