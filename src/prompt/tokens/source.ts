import type { Token } from './scan.ts'

/** A text with tokens in it. */
export interface Source {
  text: string
  /** For reports: `ct-release/SKILL.md`. */
  where: string
  /**
   * In a template, tokens of all kinds are filled in, and an unknown name is reported as unresolved. In any other
   * skill, only known names are filled in; everything else is left as it is and not reported.
   */
  kind: 'template' | 'skill'
  /**
   * The folder whose files it may include; none for embedded content. Absolute and without links, as it was when the
   * text was read: a link that changes later is not followed.
   */
  folder?: string
  /** Only trusted templates may use commands and project files. */
  trusted: boolean
}

/** The files and command outputs that the tokens of a source need, loaded before anything is filled in. */
export interface LoadedNeeds {
  /** The tokens of the source, if it was already scanned. */
  tokens?: readonly Token[]
  /** By the path or pattern in the token. */
  references: ReadonlyMap<string, Reference>
  /** By `commandKey`. */
  commands: ReadonlyMap<string, Output>
}

export interface Reference {
  pieces: readonly IncludedFile[]
  /** Files that could not be read, and why. */
  left: readonly { path: string; why: string }[]
}

export interface IncludedFile {
  path: string
  text: string
  sha256: string
  /** A template of the source's own folder is scanned as well; everything else is data. */
  template: boolean
}

export type Output = { ok: true; text: string } | { ok: false; why: string }

/** Every text that goes into a fence; the nonce must not be in any of them. */
export const foreignTexts = ({ references, commands }: LoadedNeeds): string[] => [
  ...[...references.values()].flatMap(({ pieces }) =>
    pieces.filter(({ template }) => !template).map(({ text }) => text),
  ),
  ...[...commands.values()].flatMap((output) => (output.ok ? [output.text] : [])),
]

/** What must be loaded before a template can be filled, each once, in the order of the text. */
export interface Needs {
  /** Paths and patterns. */
  references: string[]
  commands: string[][]
}

export const needsOf = (tokens: readonly Token[]): Needs => {
  const references = new Set<string>()
  const commands = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'file') references.add(token.path)
    if (token.kind === 'glob') references.add(token.pattern)
    if (token.kind === 'command') commands.set(commandKey(token.words), token.words)
  }
  return { references: [...references], commands: [...commands.values()] }
}

export const commandKey = (words: readonly string[]): string => JSON.stringify(words)

const kib = 1024

/** How much a source may bring in, so that no template can exhaust memory or time. */
export const limits = {
  fileBytes: 256 * kib,
  /** Files of one glob, and of a source in all. */
  files: 200,
  globBytes: 1024 * kib,
  /** Limit for everything that comes into one source. */
  allBytes: 4096 * kib,
  /** How deep templates may include templates. */
  depth: 5,
  commands: 16,
  commandBytes: 16 * kib,
  commandSeconds: 5,
  /** Directory entries read to find the files of one glob. */
  entries: 10_000,
} as const
