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
  /** Returns the title of a task in the answer; empty if it is not known. */
  title(id: string): string
  /**
   * Aligns cells in columns. On a narrow terminal, the columns in `unneeded` are left out in that order, and then the
   * text of the flexible column is cut. Without `unneeded`, this text is put below its row if there is too little room.
   * Columns without any text take no room.
   */
  table(rows: string[][], flexible: number, unneeded?: readonly number[]): string[]
  /** What people should know about a task in a list besides its fields. */
  note(id: string): string
  /** Cuts a text that takes more columns than this. */
  cut(text: string, width: number): string
  /** Breaks a text between words into at most `most` lines of this width; the last one is cut. */
  wrap(text: string, width: number, most: number): string[]
  /** Cuts or fills a text so that it takes exactly this many columns. */
  fit(text: string, width: number): string
}
