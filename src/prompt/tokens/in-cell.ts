/** Text as it can stand in the cell of a table: on one line, and no `|` of its own ends the cell. */
export const inCell = (text: string): string =>
  text
    .split('|')
    .map((part, i, parts) => (i < parts.length - 1 ? part + endingBackslashes(part) : part))
    .join('\\|')
    .replaceAll('\r\n', ' ')
    .replaceAll('\n', ' ')

/** Those in front of a `|` are doubled, or they would take away the one that keeps it. */
const endingBackslashes = (part: string): string => {
  let start = part.length
  while (part[start - 1] === '\\') start--
  return part.slice(start)
}
