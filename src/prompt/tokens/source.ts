import type { Token } from './scan.ts'

export interface Source {
  text: string
  /** The name of the source in messages: `ct-release/SKILL.md`. */
  where: string
  /**
   * In a `template`, tokens of all kinds are filled in, and an unknown name is reported as unresolved. In a `skill`,
   * only known names are filled in, and all other tokens stay as they are.
   */
  kind: 'template' | 'skill'
  /**
   * The absolute path of the folder whose files the source may include. Undefined for texts that come with CLEO. Links
   * in the path were resolved when the text was read, so that changing a link later has no effect.
   */
  folder?: string
  /** Only trusted templates may use commands and project files. */
  trusted: boolean
}

/** The files and command outputs that the tokens of a source need, loaded before anything is filled in. */
export interface LoadedNeeds {
  /** Set if the source was already scanned. */
  tokens?: readonly Token[]
  /** Maps the path or pattern in a token to its files. */
  references: ReadonlyMap<string, Reference>
  /** Maps the `commandKey` of a command to its output. */
  commands: ReadonlyMap<string, Output>
}

export interface Reference {
  pieces: readonly IncludedFile[]
  left: readonly { path: string; why: string }[]
}

export interface IncludedFile {
  path: string
  text: string
  sha256: string
  /**
   * True if the file is a template in the source's own folder. The tokens of such a file are filled in too. Any
   * other file is data.
   */
  template: boolean
}

export type Output = { ok: true; text: string } | { ok: false; why: string }

/** Returns the texts that the prompt puts into fences. The nonce of the fences must not occur in these texts. */
export const foreignTexts = ({ references, commands }: LoadedNeeds): string[] => [
  ...[...references.values()].flatMap(({ pieces }) =>
    pieces.filter(({ template }) => !template).map(({ text }) => text),
  ),
  ...[...commands.values()].flatMap((output) => (output.ok ? [output.text] : [])),
]

/** Lists each file and command once, in the order in which the tokens first name them. */
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

/** Limits on what the tokens of a source may load, so that no template can use up memory or time. */
export const limits = {
  fileBytes: 256 * kib,
  /** The most files that one glob may find, and the most files that one source may load in total. */
  files: 200,
  globBytes: 1024 * kib,
  /** The most bytes that all tokens of one source may load together. */
  allBytes: 4096 * kib,
  /** How deeply templates may include other templates. */
  depth: 5,
  commands: 16,
  commandBytes: 16 * kib,
  commandSeconds: 5,
  /** The most directory entries that are read to find the files of one glob. */
  entries: 10_000,
} as const
