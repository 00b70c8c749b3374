const context = 3
/** Longer changes are shown as all old lines, then all new ones. */
const mostCells = 4_000_000

/** Returns a unified diff of two texts, without a file header. Line ends are not shown. */
export const lineDiff = (before: string, after: string): string[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const all = [
    ...a.slice(0, start).map((line) => ` ${line}`),
    ...middle,
    ...a.slice(a.length - end).map((line) => ` ${line}`),
  ]
  const near = (i: number) =>
    all.slice(Math.max(0, i - context), i + context + 1).some((line) => !line.startsWith(' '))
  const shown: string[] = []
  for (const [i, line] of all.entries()) {
    if (near(i)) shown.push(line.replace(/\r$/, ''))
    else if (shown.length > 0 && shown.at(-1) !== '…') shown.push('…')
  }
  return shown.at(-1) === '…' ? shown.slice(0, -1) : shown
}

const linesOf = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The shortest list of removed, added and kept lines, by the longest common subsequence. */
const changes = (a: readonly string[], b: readonly string[]): string[] => {
  if ((a.length + 1) * (b.length + 1) > mostCells)
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)]
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i++]}`)
      j++
    } else if (
      j >= b.length ||
      (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    )
      lines.push(`-${a[i++]}`)
    else lines.push(`+${b[j++]}`)
  }
  return lines
}
