/**
 * Returns the known word that is most similar to the given word; undefined if none is close. Prefers a known word
 * that starts with the given word. In a word of up to five letters, only one mistake is accepted, because many
 * short words are only two mistakes apart, such as `quit` and `edit`. If there are several mistakes, the first
 * letter must be right.
 */
export const nearest = (given: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = (given.length < 6 ? 1 : Math.max(2, Math.floor(given.length / 3))) + 1
  for (const word of known) {
    const distance = word.startsWith(given) && given.length > 2 ? 0 : editDistance(given, word, bestDistance)
    if (distance < bestDistance && (distance < 2 || word[0] === given[0])) {
      best = word
      bestDistance = distance
    }
  }
  return best
}

const editDistance = (a: string, b: string, enough: number): number => {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  let before = row
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const other = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      // Two letters in the wrong order are one mistake: `stauts` is nearer to `status` than to `start`.
      const areSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = areSwapped ? before[j - 2]! + 1 : enough
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, other, swapped))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
