import { type Protocol, protocols } from '../kernel/protocol.ts'
import type { InvalidFrontMatter } from '../markdown/front-matter.ts'
import { printable } from '../print/printable.ts'
import type { TrustState } from '../project/trust-records.ts'
import { type Field, type FrontMatterFields, readHead } from './skill-fields.ts'

/** The index entry of a skill, as `skills index` writes it: level L0. */
export interface SkillEntry {
  name: string
  version: string
  description: string
  /** The skill's folder. For a project skill, relative to the project. */
  path: string
  /** The number of model tokens that SKILL.md may have. */
  token_budget: number
  tier: number
  tags: string[]
  /** Paths of SKILL.md and the files it refers to. */
  references: string[]
  capabilities: { inputs: string[]; outputs: string[]; dispatch_triggers: string[] }
  /** Hash of SKILL.md. */
  sha256: string
  /**
   * True if the skill is a template. In a template, CLEO replaces every token: names, output of commands, and
   * references to files. In any other skill, CLEO replaces only names that have a value.
   */
  template: boolean
  protocol?: Protocol
  model?: string
  allowed_tools?: string
}

export interface Skill extends SkillEntry {
  origin: 'project' | 'user' | 'shipped'
  /** The absolute path. The folder of a shipped skill is created when the skill is read. */
  folder: string
  /** Computed on first use, because computing it can require reading every file of the skill. */
  readonly trust: TrustState
  /** Shipped skills only: the number of model tokens in SKILL.md, counted at build time. */
  tokens?: number
  /** The paths of other skills with the same name. This skill takes precedence over them. */
  shadows: string[]
}

/** The text of a skill that comes with CLEO, split at build time so that a spawn need not parse it. */
export interface ShippedSkill {
  /** The lines between the two `---` lines. */
  frontMatter: string
  body: string
  /** The body with its headings moved to deeper levels, so that they are below the skill's heading in a prompt. */
  demoted: string
  /** Every file except SKILL.md, by its path in the skill's folder. */
  files: readonly { path: string; text: string }[]
}

export interface ShippedEntry extends SkillEntry {
  /** The length of the whole SKILL.md in o200k tokens. */
  tokens: number
}

interface EntryOrigin {
  path: string
  sha256: string
  /** The files that SKILL.md refers to, relative to its folder. */
  files: readonly string[]
}

/** The number of model tokens that the Agent Skills format recommends for SKILL.md. */
const defaultBudget = 5000
const defaultTier = 2

export const readSkillEntry = async (
  text: string,
  origin: EntryOrigin,
): Promise<{ ok: true; entry: SkillEntry } | InvalidFrontMatter> => {
  const head = await readHead(text)
  return head.ok ? skillEntryOf(head.fields, origin) : head
}

/** Name and description are required; all other fields have defaults. */
export const skillEntryOf = (
  fields: FrontMatterFields,
  { path, sha256, files }: EntryOrigin,
): { ok: true; entry: SkillEntry } | InvalidFrontMatter => {
  const name = fields.get('name')?.text?.trim()
  const description = oneLine(fields.get('description')?.text)
  if (!name) return { ok: false, line: 1, why: 'has no name' }
  const unusable = whyUnusable(name)
  if (unusable) return { ok: false, line: fields.get('name')!.line, why: unusable }
  if (!description) return { ok: false, line: 1, why: 'has no description' }
  const of = (key: string) => oneLine(fieldOf(fields, key)?.text)
  const protocol = protocols.find((each) => each === of('protocol'))
  const model = of('model')
  // The format asks for words separated by spaces, but many skills contain a list.
  const tools = oneLine([fields.get('allowed-tools')?.value ?? ''].flat().join(' '))
  const entry: SkillEntry = {
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

const mostLetters = 100

/** Names are printed in headings of prompts and in arguments of commands, so only some characters are allowed. */
const whyUnusable = (name: string): string | undefined => {
  const [other] = /[^\p{L}\p{N}\p{M} ._:-]/u.exec(name) ?? /^[^\p{L}\p{N}]/u.exec(name) ?? []
  if (name.length > mostLetters) return `has a name of more than ${mostLetters} characters`
  if (other === undefined) return undefined
  const where = name.startsWith(other) ? 'starts with' : 'contains'
  const shown = printable(name.slice(0, 40))
  return `has the name "${shown}", which ${where} "${printable(other)}"; a name begins with a letter or digit, and may also have spaces and . _ : -`
}

/** Joins a text into one line, because entries are printed in lists and headings. */
const oneLine = (text: string | undefined): string | undefined =>
  text?.replace(/\s+/g, ' ').trim() || undefined

/** Returns a field of `metadata`, or the top-level field that many public skills use instead. */
const fieldOf = (fields: FrontMatterFields, key: string): Field | undefined =>
  fields.get(`metadata.${key}`) ?? fields.get(`metadata.${key.replaceAll('_', '-')}`) ?? fields.get(key)

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined

const mostWords = 50

/** The format allows only text in `metadata`, so a list is a text with commas. CLEO also accepts a YAML list. */
const listOf = (fields: FrontMatterFields, key: string): string[] => {
  const value = fieldOf(fields, key)?.value
  const words = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return [...new Set(words.flatMap((word) => oneLine(word)?.slice(0, 64) ?? []))].slice(0, mostWords)
}
