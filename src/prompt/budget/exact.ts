/**
 * Loads the real tokenizer: some 200 ms and 60 MB, so only when an estimate cannot decide. What looks like a special
 * token is counted as the text it is.
 */
export const loadExact = async (): Promise<(text: string) => number> => {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base')
  // Its cache of 100,000 words makes a text full of new ones ten times slower once it is full.
  setMergeCacheSize(200)
  const asText = { disallowedSpecial: new Set<string>() }
  return (text) => {
    let tokens = 0
    for (let start = 0; start < text.length; ) {
      const end = stretchEnd(text, start)
      tokens += countTokens(text.slice(start, end), asText) + (isBoundary(text, end) ? 0 : 1)
      start = end
    }
    return tokens
  }
}

/**
 * The tokenizer's time grows with the square of a word, and a megabyte of one letter is one word: what goes on for
 * longer than this is cut, and a token added for the cut, so that the count is a little too high and never too low.
 */
const longestWord = 400
const longestStretch = 10_000

const stretchEnd = (text: string, start: number): number => {
  let boundary = start
  for (let at = start + 1; at < text.length; at++) {
    if (isBoundary(text, at)) boundary = at
    if (boundary - start > longestStretch) return boundary
    if (at - boundary > longestWord) return boundary > start ? boundary : wholeCharacter(text, at)
  }
  return text.length
}

/** Where no token can span: at the end, in front of a blank behind text, and where a word or a number ends. */
const isBoundary = (text: string, at: number): boolean => {
  if (at === text.length) return true
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  if (code === 32) return before > 32 && text[at - 1]!.trim() !== ''
  return isWordy(before) && code < 127 && code !== apostrophe && !isWordy(code)
}

const apostrophe = 39

const isWordy = (code: number): boolean =>
  (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)

const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
