/** The lines of one section that differ between two prompts. */
export interface Difference {
  section: string
  removed: string[]
  added: string[]
}

/** Compares two prompts line by line, ignoring spawn ids and fence marks, which always differ. */
export const differences = (before: Prompt, after: Prompt): Difference[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  const found: Difference[] = []
  let section = ''
  const note = (section: string): Difference => {
    const last = found.at(-1)
    if (last?.section === section) return last
    const fresh = { section, removed: [], added: [] }
    found.push(fresh)
    return fresh
  }
  for (const { kind, line } of edits(a, b)) {
    if (kind !== 'removed' && isHeading(line)) section = line
    if (kind !== 'same') note(section)[kind].push(line)
  }
  return found
}

export interface Prompt {
  spawnId: string
  text: string
}

const isHeading = (line: string): boolean => line.startsWith('## ') || line.startsWith('### ')

const linesOf = ({ spawnId, text }: Prompt): string[] =>
  text
    .replaceAll(spawnId, `${spawnId.slice(0, spawnId.indexOf('.'))}.n`)
    .replace(/(<\/?data-)[0-9a-f]{8}/g, '$1n')
    .split('\n')

interface Edit {
  kind: 'same' | 'removed' | 'added'
  line: string
}

// With more pairs of lines than this, the whole middle is reported as replaced: coarser, but correct.
const mostPairs = 4_000_000

/** The edits from `a` to `b`. Skips equal lines at both ends, because `diffMiddle` is slow. */
const edits = (a: readonly string[], b: readonly string[]): Edit[] => {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ kind: 'same', line }))
  return [
    ...same(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
}

/** Compares by longest common subsequence. */
const diffMiddle = (a: readonly string[], b: readonly string[]): Edit[] => {
  const width = b.length + 1
  if (a.length * b.length > mostPairs)
    return [
      ...a.map((line) => ({ kind: 'removed', line }) as const),
      ...b.map((line) => ({ kind: 'added', line }) as const),
    ]
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const out: Edit[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: 'same', line: a[i]! })
      i++
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      out.push({ kind: 'removed', line: a[i++]! })
    else out.push({ kind: 'added', line: b[j++]! })
  }
  return out
}
