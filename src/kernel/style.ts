/** How text is dressed for people: colours where the terminal has them, plain otherwise. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  /** The title of a task the answer names, where it is known. */
  title(id: string): string
  /** Lines up cells; where the terminal is too narrow, the flexible column gives way. */
  table(rows: string[][], flexible: number): string[]
}
