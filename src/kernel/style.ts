/** Formats text for people: in colour if the terminal supports it, plain otherwise. */
export interface Style {
  /** The columns of the terminal; undefined in a pipe, which has no width. */
  readonly width: number | undefined
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  /** Returns the title of a task that the answer mentions; empty if the title is not known. */
  title(id: string): string
  /**
   * Aligns cells in columns. A column without any text takes no room. If the terminal is too narrow, first leaves out
   * the columns in `unneeded`, one after another, then cuts the text of the flexible column. If `unneeded` is missing
   * and only a few characters of the flexible column would fit, puts the text of that column below the row instead.
   */
  table(rows: string[][], flexible: number, unneeded?: readonly number[]): string[]
  /** Returns a note about a task in a list: what the task waits on, or who works on it. */
  note(id: string): string
  cut(text: string, width: number): string
  /**
   * Breaks a text between words into at most `most` lines of `width` columns. Cuts the last line if the text is
   * longer.
   */
  wrap(text: string, width: number, most: number): string[]
  /** Cuts a text or adds spaces to it, so that it takes exactly `width` columns. */
  fit(text: string, width: number): string
}
