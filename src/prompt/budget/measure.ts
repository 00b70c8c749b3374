import type { families } from '../../kernel/config-words.ts'
import { bounds, margin } from './estimate.ts'

export type Family = (typeof families)[number]

/** `fits` returns `unsure` only if the count is an estimate. */
export interface Measure {
  counter: 'estimate' | 'exact'
  count(text: string): number
  /** The upper bound of the token count: the estimate plus its margin, or the exact count. */
  most(text: string): number
  countAll(texts: readonly string[]): number
  fits(text: string, limit: number): 'yes' | 'no' | 'unsure'
}

/** The tokens of words that were estimated before. A run makes many prompts with nearly the same words. */
const costs = new Map<string, number>()
const mostCosts = 3000

/**
 * `fits` returns `yes` if the estimate plus the margin fits, and `no` if even the lowest possible count is too high.
 * For a text beyond Latin script it never returns `yes`: see `isBeyondLatin`. Each text is counted only once. The map
 * `known` has the token counts of texts that were counted before.
 */
export const estimateMeasure = (
  family: Family = 'gpt',
  known: ReadonlyMap<string, number> = new Map(),
): Measure => {
  const factor = factors[family]
  const seen = new Map([...known].map(([text, tokens]) => [text, { least: tokens, likely: tokens }]))
  if (costs.size > mostCosts) costs.clear()
  const countOnce = (text: string) => {
    const found = seen.get(text) ?? bounds(text, costs)
    seen.set(text, found)
    return found
  }
  const count = (text: string) => Math.ceil(countOnce(text).likely * factor)
  return {
    counter: 'estimate',
    count,
    most: (text) => Math.ceil(countOnce(text).likely * factor * (1 + margin)),
    countAll: (texts) => texts.reduce((sum, text) => sum + count(text), 0),
    fits: (text, limit) => {
      if (isBeyondLatin(text)) return countOnce(text).least * factor > limit ? 'no' : 'unsure'
      if (text.length * mostBytes * factor <= limit) return 'yes'
      const { least, likely } = countOnce(text)
      if (Math.ceil(likely * factor * (1 + margin)) <= limit) return 'yes'
      return least * factor > limit ? 'no' : 'unsure'
    },
  }
}

/**
 * Whether more than a fifth of a text is in a script other than Latin. The estimate of such a text is far too high,
 * because the vocabulary of the estimate has few entries of other scripts. `bench/estimator.ts` prints the error for
 * each script.
 */
const isBeyondLatin = (text: string): boolean => {
  // First compare the number of bytes with the number of UTF-16 units, which needs no loop. A text in another
  // script has many more bytes than units.
  if (new TextEncoder().encode(text).length <= text.length * 1.2) return false
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x370 && (code < 0x2000 || code >= 0x2e80)) found++
  }
  return found > text.length * 0.2
}

/**
 * The most tokens that one UTF-16 unit can have. The unit has at most three bytes in UTF-8, and each token has at
 * least one byte.
 */
const mostBytes = 3

export const exactMeasure = (tokens: (text: string) => number, family: Family = 'gpt'): Measure => {
  const count = (text: string) => Math.ceil(tokens(text) * factors[family])
  return {
    counter: 'exact',
    count,
    most: count,
    countAll: (texts) => count(texts.join('\n\n')),
    fits: (text, limit) => (count(text) <= limit ? 'yes' : 'no'),
  }
}

/**
 * Tokens of a model family per o200k token.
 * - Claude: For the Markdown and TypeScript files of this repository, the ratio was 1.18 on average, and below 1.25 for
 *   95 % of the files. The Claude encoding of ai-tokenizer counted the tokens. Then we multiplied the counts by 1.1, as
 *   ai-tokenizer does for current models.
 * - Gemini: There is no local tokenizer. The factor of ai-tokenizer is 1.08, from counts of Google's service. Our
 *   factor is higher, to be safe.
 */
export const factors: Readonly<Record<Family, number>> = { gpt: 1, claude: 1.25, gemini: 1.15 }

/**
 * Call this only if an estimate cannot decide, because loading takes 200 ms and 60 MB. The tokenizer treats special
 * tokens in a text as plain text.
 */
export const loadTokenizer = async (): Promise<(text: string) => number> => {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base')
  // Use a small cache. Once the default cache of 100,000 words is full, text with many new words takes ten times as
  // long.
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
 * Longer words are cut into pieces before they are counted, because the tokenizer's time grows with the square of a
 * word's length. A megabyte of one letter would be one word. A cut can add a token but never removes one, so the
 * count is sometimes a little too high and never too low.
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

/**
 * True if no token can span this position. Such positions are the end of the text, the end of a word or number, a blank
 * after text, and the start of a line with text.
 */
const isBoundary = (text: string, at: number): boolean => {
  if (at === text.length) return true
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  if (before === 10) return startsWithText(text, at)
  if (code === 32) return before > 32 && text[at - 1]!.trim() !== ''
  return isWordy(before) && code < 127 && code !== apostrophe && !isWordy(code)
}

/**
 * Whether a token is sure to start at the beginning of this line. If the line is blank or starts with `/`, the
 * token of the preceding line break can include the beginning of the line.
 */
const startsWithText = (text: string, start: number): boolean => {
  let at = start
  while (text[at] === ' ' || text[at] === '\t') at++
  const code = text.charCodeAt(at)
  return code > 32 && code < 127 && text[start] !== '/'
}

const apostrophe = 39

const isWordy = (code: number): boolean =>
  (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)

const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
