/**
 * Returns the lines of a printable text that a person has to read before deciding. Nothing is cut, and long lines are
 * wrapped. Several spaces in a row, which could push text out of sight, are replaced by their number.
 */
export const readInFull = (text: string, indent: string, width = Number.POSITIVE_INFINITY): string[] => {
  const most = Math.max(20, width - indent.length)
  const lines: string[] = []
  let rest = text.replaceAll(/\p{Zs}{2,}/gu, (blanks) => `⟨${blanks.length} spaces⟩`)
  while (rest.length > most) {
    const blank = rest.lastIndexOf(' ', most - 1)
    const end = blank > 0 ? blank + 1 : most
    lines.push(indent + rest.slice(0, end).trimEnd())
    rest = rest.slice(end)
  }
  return [...lines, indent + rest]
}
