/** A place in a line. It knows its column, because a tab is as wide as it is far to the next stop. */
export interface Cursor {
  text: string
  at: number
  /** Of the line, without its break. */
  end: number
  column: number
}

/** How many columns of white space are ahead. */
export const indentOf = ({ text, at, end, column }: Cursor): number => {
  let reached = column
  for (; at < end && isBlank(text, at); at++) reached += widthAt(text, at, reached)
  return reached - column
}

/** Goes over white space of some width; of a tab that is wider, the rest stays. */
export const skipBlank = (cursor: Cursor, columns: number): void => {
  const goal = cursor.column + columns
  while (cursor.column < goal && cursor.at < cursor.end && isBlank(cursor.text, cursor.at)) {
    const next = cursor.column + widthAt(cursor.text, cursor.at, cursor.column)
    if (next <= goal) cursor.at++
    cursor.column = Math.min(next, goal)
  }
}

/** Goes over characters that are one column wide. */
export const skip = (cursor: Cursor, characters: number): void => {
  cursor.at += characters
  cursor.column += characters
}

/** What is left of the line, from its first character that is not white space. */
export const restOf = ({ text, at, end }: Cursor): { start: number; rest: string } => {
  let start = at
  while (start < end && isBlank(text, start)) start++
  return { start, rest: text.slice(start, end) }
}

const isBlank = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9
}

const widthAt = (text: string, at: number, column: number): number =>
  text.charCodeAt(at) === 9 ? 4 - (column % 4) : 1
