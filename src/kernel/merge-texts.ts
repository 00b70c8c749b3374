import { lineEdits } from './line-edits.ts'

/** A range of lines in the base text that one side replaced. */
interface Hunk {
  start: number
  end: number
  lines: string[]
}

/** Where both sides changed the same lines differently, keeps both versions between conflict marks. */
export const mergeTexts = (
  base: string,
  mine: string,
  theirs: string,
): { text: string; conflicts: number } => {
  const lines = base.split('\n')
  const own = hunksOf(lines, mine.split('\n'))
  const other = hunksOf(lines, theirs.split('\n'))
  const out: string[] = []
  let [at, i, j, conflicts] = [0, 0, 0, 0]
  while (i < own.length || j < other.length) {
    const [from, to] = [i, j]
    const start = Math.min(
      own[i]?.start ?? Number.POSITIVE_INFINITY,
      other[j]?.start ?? Number.POSITIVE_INFINITY,
    )
    let end = start
    const reaches = (hunk: Hunk | undefined) =>
      hunk !== undefined && (hunk.start < end || hunk.start === start)
    while (reaches(own[i]) || reaches(other[j])) {
      const next = reaches(own[i]) ? own[i++]! : other[j++]!
      end = Math.max(end, next.end)
    }
    out.push(...lines.slice(at, start))
    const ours = applied(lines, own.slice(from, i), start, end)
    const others = applied(lines, other.slice(to, j), start, end)
    if (j === to || ours.join('\n') === others.join('\n')) out.push(...ours)
    else if (i === from) out.push(...others)
    else {
      conflicts++
      out.push('<<<<<<< yours', ...ours, '=======', ...others, '>>>>>>> theirs')
    }
    at = end
  }
  return { text: [...out, ...lines.slice(at)].join('\n'), conflicts }
}

const hunksOf = (base: readonly string[], other: readonly string[]): Hunk[] => {
  const hunks: Hunk[] = []
  let at = 0
  let open: Hunk | undefined
  for (const { kind, line } of lineEdits(base, other)) {
    if (kind === 'same') {
      open = undefined
      at++
      continue
    }
    if (!open) {
      open = { start: at, end: at, lines: [] }
      hunks.push(open)
    }
    if (kind === 'added') open.lines.push(line)
    else open.end = ++at
  }
  return hunks
}

const applied = (base: readonly string[], hunks: readonly Hunk[], start: number, end: number): string[] => {
  const out: string[] = []
  let at = start
  for (const hunk of hunks) {
    out.push(...base.slice(at, hunk.start), ...hunk.lines)
    at = hunk.end
  }
  return [...out, ...base.slice(at, end)]
}
