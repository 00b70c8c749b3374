/** Lines up cells; where the terminal is too narrow, the named column gives way. */
export const columns = (rows: string[][], width: number, flexible: number): string[] => {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, shownWidth(cell))
  }
  const total = widths.reduce((sum, w) => sum + w, 0) + 2 * (widths.length - 1)
  if (total > width) widths[flexible] = Math.max(12, (widths[flexible] ?? 0) - (total - width))
  return rows.map((row) =>
    row
      .map((cell, i) => fitted(cell, widths[i]!, i === row.length - 1))
      .join('  ')
      .trimEnd(),
  )
}

const fitted = (cell: string, width: number, last: boolean): string => {
  const shown = shownWidth(cell)
  if (shown > width) return cut(cell, width)
  return last ? cell : cell + ' '.repeat(width - shown)
}

const colour = /\u001b\[\d+m/g
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Columns a text takes on a terminal. */
const shownWidth = (text: string): number => {
  let width = 0
  for (const char of text.replaceAll(colour, '')) width += /\p{M}/u.test(char) ? 0 : wide.test(char) ? 2 : 1
  return width
}

const cut = (text: string, width: number): string => {
  let used = 0
  let out = ''
  for (const char of text) {
    used += shownWidth(char)
    if (used > width - 1) break
    out += char
  }
  return `${out}…`.padEnd(width)
}
