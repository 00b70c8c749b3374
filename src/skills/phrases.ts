/**
 * One word of a text. A word can contain - _ . / @ and +. So `pre-release`, `login.spec.ts` and `docs/research` are
 * one word each and do not match release, spec or research.
 */
export const oneWord = /[\p{L}\p{N}\p{M}]+(?:[-_./@+][\p{L}\p{N}\p{M}]+)*/gu

export const wordsOf = (text: string): string[] => text.normalize('NFC').toLowerCase().match(oneWord) ?? []

/** Phrases and their meanings, grouped by the first word of the phrase. So one pass over a text finds all phrases. */
export type Phrases<T> = ReadonlyMap<string, readonly { words: readonly string[]; means: T }[]>

export const phrases = <T>(known: Iterable<readonly [string, T]>): Phrases<T> => {
  const byFirst = new Map<string, { words: readonly string[]; means: T }[]>()
  for (const [phrase, means] of known) {
    const words = wordsOf(phrase)
    if (words[0] === undefined) continue
    const others = byFirst.get(words[0])
    if (others) others.push({ words, means })
    else byFirst.set(words[0], [{ words, means }])
  }
  return byFirst
}

export interface Hit<T> {
  phrase: string
  means: T
}

/**
 * Returns the first phrase that occurs in a text. If several phrases start at the same word, returns the longest.
 * Of phrases with the same length, returns the first in the table.
 */
export const firstHit = <T>(text: readonly string[], known: Phrases<T>): Hit<T> | undefined => {
  for (const [at, word] of text.entries()) {
    let best: { words: readonly string[]; means: T } | undefined
    for (const each of known.get(word) ?? []) {
      if (each.words.length <= (best?.words.length ?? 0)) continue
      if (each.words.every((part, i) => text[at + i] === part)) best = each
    }
    if (best) return { phrase: best.words.join(' '), means: best.means }
  }
  return undefined
}
