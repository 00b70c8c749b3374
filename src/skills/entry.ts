import { type Protocol, protocols } from '../kernel/protocol.ts'
import type { Unreadable } from '../markdown/front-matter.ts'
import { type Field, type Fields, readHead } from './fields.ts'

/** What the index knows of a skill: level L0. */
export interface Entry {
  name: string
  version: string
  description: string
  /** The skill's folder; below the project for its own. */
  path: string
  /** Tokens that SKILL.md may take. */
  token_budget: number
  tier: number
  tags: string[]
  /** SKILL.md and the files behind it. */
  references: string[]
  capabilities: { inputs: string[]; outputs: string[]; dispatch_triggers: string[] }
  /** Of SKILL.md. */
  sha256: string
  /** Tokens of all kinds are resolved in it. */
  template: boolean
  protocol?: Protocol
  /** The model it was made for. */
  model?: string
  allowed_tools?: string
}

export interface Origin {
  path: string
  sha256: string
  /** Files behind SKILL.md, relative to its folder. */
  files: readonly string[]
}

/** Public advice for the length of SKILL.md. */
const defaultBudget = 5000
const defaultTier = 2

/** The index entry of a skill from the text of its SKILL.md, or why there can be none. */
export const readEntry = async (
  text: string,
  origin: Origin,
): Promise<{ ok: true; entry: Entry } | Unreadable> => {
  const head = await readHead(text)
  return head.ok ? entryOf(head.fields, origin) : head
}

/** What only CLEO wants to know has a default: a name and a description are enough. */
export const entryOf = (
  fields: Fields,
  { path, sha256, files }: Origin,
): { ok: true; entry: Entry } | Unreadable => {
  const name = fields.get('name')?.text?.trim()
  const description = oneLine(fields.get('description')?.text)
  if (!name) return { ok: false, line: 1, why: 'has no name' }
  if (!usableName(name))
    return { ok: false, line: fields.get('name')!.line, why: 'has a name that cannot be used' }
  if (!description) return { ok: false, line: 1, why: 'has no description' }
  const of = (key: string) => oneLine(fieldOf(fields, key)?.text)
  const protocol = protocols.find((each) => each === of('protocol'))
  const model = of('model')
  // One text with spaces between, and often a list all the same.
  const tools = oneLine([fields.get('allowed-tools')?.value ?? ''].flat().join(' '))
  const entry: Entry = {
    name,
    version: /^[\w.+-]{1,32}$/.exec(of('version') ?? '')?.[0] ?? '0.0.0',
    description: description.slice(0, 1024),
    path,
    token_budget: wholeNumber(of('token_budget')) || defaultBudget,
    tier: wholeNumber(of('tier')) ?? defaultTier,
    tags: listOf(fields, 'tags'),
    references: ['SKILL.md', ...files].map((file) => `${path}/${file}`),
    capabilities: {
      inputs: listOf(fields, 'inputs'),
      outputs: listOf(fields, 'outputs'),
      dispatch_triggers: listOf(fields, 'dispatch_triggers'),
    },
    sha256,
    template: of('cleo-template') === 'true',
    ...(protocol && { protocol }),
    ...(model && { model: model.slice(0, 64) }),
    ...(tools && { allowed_tools: tools.slice(0, 1024) }),
  }
  return { ok: true, entry }
}

/** It becomes a heading of a prompt and a word of a command: one line of letters, digits and what stands between. */
const usableName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._:-]{0,99}$/u.test(name)

/** Entries stand in lists and headings: a line break would be taken for the end of one. */
const oneLine = (text: string | undefined): string | undefined =>
  text?.replace(/\s+/g, ' ').trim() || undefined

/** A field of the metadata; where a public skill says it at the top, that counts as well. */
const fieldOf = (fields: Fields, key: string): Field | undefined =>
  fields.get(`metadata.${key}`) ?? fields.get(`metadata.${key.replaceAll('_', '-')}`) ?? fields.get(key)

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined

const mostWords = 50

/** The public format knows only text in its metadata, so a list is words between commas; a real one is taken too. */
const listOf = (fields: Fields, key: string): string[] => {
  const value = fieldOf(fields, key)?.value
  const words = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return [...new Set(words.flatMap((word) => oneLine(word)?.slice(0, 64) ?? []))].slice(0, mostWords)
}
