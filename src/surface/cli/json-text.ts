/** Returns JSON with invisible and direction-changing characters escaped, because they are harmful on a terminal. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return isPlain(text) ? text : escapeHarmful(text)
}

// Whether a text is short and ASCII, as most answers are. This check is faster than compiling the regular
// expression that `escapeHarmful` needs.
const isPlain = (text: string): boolean => {
  if (text.length > 4096) return false
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7e) return false
  return true
}

const escapeHarmful = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
    (char) =>
      Array.from(
        { length: char.length },
        (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
      ).join(''),
  )
