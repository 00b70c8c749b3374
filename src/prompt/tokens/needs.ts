import type { Token } from './scan.ts'

/** What has to be loaded before a template can be filled, each once, in the order of the text. */
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
