export interface LineEdit {
  kind: 'same' | 'removed' | 'added'
  line: string
}

// If there are more pairs of lines than this, comparing them would take too long. In that case all lines between the
// first and the last difference are reported as replaced. That is correct, but shows more changes than necessary.
const mostPairs = 4_000_000

/** Skips equal lines at the start and at the end first, because `editsOfMiddle` is slow. */
export const lineEdits = (a: readonly string[], b: readonly string[]): LineEdit[] => {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [
    ...all('same', a.slice(0, start)),
    ...editsOfMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...all('same', a.slice(a.length - end)),
  ]
}

const all = (kind: LineEdit['kind'], lines: readonly string[]): LineEdit[] =>
  lines.map((line) => ({ kind, line }))

/** Finds the edits through the longest common subsequence. */
const editsOfMiddle = (a: readonly string[], b: readonly string[]): LineEdit[] => {
  if (a.length * b.length > mostPairs) return [...all('removed', a), ...all('added', b)]
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const edits: LineEdit[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ kind: 'same', line: a[i]! })
      i++
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      edits.push({ kind: 'removed', line: a[i++]! })
    else edits.push({ kind: 'added', line: b[j++]! })
  }
  return edits
}
