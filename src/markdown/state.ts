export interface Heading {
  level: number
  title: string
  /** Where its first line starts. */
  start: number
  /** Where its marks are, or its words where they are underlined. */
  at: number
  /** Of its last line, without the break. */
  end: number
  underlined: boolean
  /** In a list or a quote it divides no text, and within HTML it only looks like a heading. */
  inside?: 'container' | 'html'
}

export interface Code {
  start: number
  end: number
}

export type Container = { kind: 'quote' } | { kind: 'item'; width: number; empty: boolean }

export interface Paragraph {
  kind: 'paragraph'
  start: number
  lines: { at: number; rest: string }[]
}

export type Leaf =
  | Paragraph
  | { kind: 'fence'; start: number; marks: string }
  | { kind: 'html'; start: number; until: RegExp | 'empty line'; closing?: string }

/** What reading a text line by line has come to. */
export interface State {
  /** Lists and quotes around the line, outermost first. */
  containers: Container[]
  /** What the next line may go on with. */
  leaf?: Leaf
  headings: Heading[]
  /** Fenced, and neither in a list nor in a quote. */
  code: Code[]
}
