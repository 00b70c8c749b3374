/**
 * The words of a text, in small letters. What hangs together without a space is one word: `pre-release`, `login.spec.ts`
 * and `docs/research` hold neither a release nor a spec nor research.
 */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+(?:[-_./@+][\p{L}\p{N}\p{M}]+)*/gu) ?? []

/** Phrases to look for, each with what it stands for; by first word, so that a text is gone through once. */
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

/** The phrase that stands first in a text; of several that start there the longest, then the one known first. */
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
