import { lineEdits } from '../kernel/line-edits.ts'

const context = 3
const marks = { same: ' ', removed: '-', added: '+' }

/** Returns a unified diff of two texts, without a file header. Line ends are not shown. */
export const lineDiff = (before: string, after: string): string[] => {
  const edits = lineEdits(linesOf(before), linesOf(after))
  const isNearChange = (i: number) =>
    edits.slice(Math.max(0, i - context), i + context + 1).some(({ kind }) => kind !== 'same')
  const shown: string[] = []
  for (const [i, { kind, line }] of edits.entries()) {
    if (isNearChange(i)) shown.push(marks[kind] + line.replace(/\r$/, ''))
    else if (shown.length > 0 && shown.at(-1) !== '…') shown.push('…')
  }
  return shown.at(-1) === '…' ? shown.slice(0, -1) : shown
}

const linesOf = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
