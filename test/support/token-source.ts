import type { IncludedFile, LoadedNeeds, Source } from '../../src/prompt/tokens/source.ts'

export const template = (text: string, more: Partial<Source> = {}): Source => ({
  ...{ text, where: 'own/SKILL.md', kind: 'template', trusted: true },
  ...more,
})

export const nothing: LoadedNeeds = { references: new Map(), commands: new Map() }

export const data = (path: string, text: string): IncludedFile => ({
  path,
  text,
  sha256: `hash of ${path}`,
  template: false,
})

/** Makes a fence that is easy to read in an expectation. */
export const fence = (text: string, from: string): string => `<${from}: ${text}>`
