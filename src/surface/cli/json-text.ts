// Invisible and direction-changing characters: legal in JSON, harmful on a terminal. Escaped, they mean the same.
const harmful = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(harmful, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )
