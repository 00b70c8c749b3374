/** Formats text for people: in colour if the terminal supports it, plain otherwise. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  /** The title of a task in the answer, if the title is known. */
  title(id: string): string
  /** Aligns cells in columns. On a narrow terminal, the text of the flexible column is cut. */
  table(rows: string[][], flexible: number): string[]
  /** Wraps a text that a person must read before a decision: nothing is cut, and runs of blanks are visible. */
  inFull(text: string, indent: string): string[]
}
