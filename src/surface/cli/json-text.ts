// Invisible and direction-changing characters: legal in JSON, harmful on a terminal. Escaped, they mean the same.
const harmful = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  // Plain ASCII, as most answers are, holds none of them but DEL.
  if (Buffer.byteLength(text) === text.length && !text.includes('\u007f')) return text
  return text.replace(harmful, escaped)
}

const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
