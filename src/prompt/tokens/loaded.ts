import type { Token } from './scan.ts'

/** What the tokens of a source need, loaded before anything is filled in. */
export interface Loaded {
  /** Of the source, where they have been looked for already. */
  tokens?: readonly Token[]
  /** By the path or pattern that stands in the token. */
  references: ReadonlyMap<string, Reference>
  /** By `commandKey`. */
  commands: ReadonlyMap<string, Output>
}

export interface Reference {
  pieces: readonly Piece[]
  /** What could not be read, and why. */
  left: readonly { path: string; why: string }[]
}

export interface Piece {
  path: string
  text: string
  sha256: string
  /** A template of the source's own folder is scanned in its turn; everything else is data. */
  template: boolean
}

export type Output = { ok: true; text: string } | { ok: false; why: string }

/** Every text that goes into a fence: its nonce must be in none of them. */
export const foreignTexts = ({ references, commands }: Loaded): string[] => [
  ...[...references.values()].flatMap(({ pieces }) =>
    pieces.filter(({ template }) => !template).map(({ text }) => text),
  ),
  ...[...commands.values()].flatMap((output) => (output.ok ? [output.text] : [])),
]
