import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { sha256 } from '../src/host/sha256.ts'
import { splitFrontMatter } from '../src/markdown/front-matter.ts'
import { embedded, headingDepth } from '../src/markdown/headings.ts'
import type { ShippedEntry, ShippedSkill } from '../src/skills/skill-entry.ts'
import { skillEntryOf } from '../src/skills/skill-entry.ts'
import { readFields } from '../src/skills/skill-fields.ts'

const content = join(import.meta.dirname, '..', 'content')

/** Returns the Markdown of `content/` as modules, split so that a spawn loads only what its prompt contains. */
export const contentModules = async (header: string): Promise<Map<string, string>> => {
  const skills = await Promise.all(names('skills').map(readSkill))
  const files = new Map<string, string>()
  const add = (path: string, code: string) => files.set(`src/${path}.ts`, header + code)
  add('spawn/generated/protocols', protocols(markdown('protocols')))
  add('spawn/generated/stages', texts('stageTexts', 'Stage', stageImport, markdown('stages')))
  add(
    'spawn/generated/anti-patterns',
    `export const antiPatterns = ${JSON.stringify(read('anti-patterns.md'))}\n`,
  )
  add('agents/generated/agents', texts('agentTexts', 'string', '', agents()))
  add('skills/generated/skills', index(skills))
  for (const { entry, skill } of skills) add(`skills/generated/skills/${entry.name}`, skillModule(skill))
  return files
}

const protocolImport = "import type { Protocol } from '../../kernel/protocol.ts'\n\n"
const stageImport = "import type { Stage } from '../../kernel/task.ts'\n\n"

const names = (part: string): string[] => readdirSync(join(content, part)).sort()

const read = (path: string): string => readFileSync(join(content, path), 'utf8')

const markdown = (part: string): [string, string][] =>
  names(part).map((file) => [file.replace(/\.md$/, ''), read(`${part}/${file}`)])

const agents = (): [string, string][] =>
  names('agents').map((name) => [name, read(`agents/${name}/AGENT.md`)])

const texts = (name: string, keys: string, imports: string, entries: [string, string][]): string =>
  `${imports}export const ${name}: Readonly<Record<${keys}, string>> = ${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`

/** Includes the token count of each protocol, so that a spawn need not count unchanged text. */
const protocols = (entries: [string, string][]): string => {
  const tokens = Object.fromEntries(entries.map(([name, text]) => [name, countTokens(text)]))
  return `${texts('protocolTexts', "'base' | Protocol", protocolImport, entries)}
export const protocolTokens: Readonly<Record<'base' | Protocol, number>> = ${JSON.stringify(tokens, null, 2)}
`
}

interface Read {
  entry: ShippedEntry
  skill: ShippedSkill
}

const readSkill = async (name: string): Promise<Read> => {
  const path = `skills/${name}`
  const text = read(`${path}/SKILL.md`)
  const files = readdirSync(join(content, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(content, path).length + 1))
    .filter((file) => file !== 'SKILL.md')
    .sort()
  const divided = splitFrontMatter(text)
  if (!divided.ok) throw new Error(`${path}:${divided.line} ${divided.why}`)
  const { frontMatter, body } = divided
  const parsed = await readFields(frontMatter)
  if (!parsed.ok) throw new Error(`${path}:${parsed.line} ${parsed.why}`)
  const found = skillEntryOf(parsed.fields, { path, sha256: sha256(text), files })
  if (!found.ok) throw new Error(`${path}:${found.line} ${found.why}`)
  // Shipped skills are always templates, whatever they declare.
  const entry: ShippedEntry = { ...found.entry, template: true, tokens: countTokens(body) }
  const skill = {
    frontMatter,
    body,
    demoted: embedded(body, headingDepth),
    files: files.map((file) => ({ path: file, text: read(`${path}/${file}`) })),
  }
  return { entry, skill }
}

const skillModule = (skill: ShippedSkill): string =>
  `import type { ShippedSkill } from '../../skill-entry.ts'\n\nexport const skill: ShippedSkill = ${JSON.stringify(skill, null, 2)}\n`

const index = (skills: readonly Read[]): string => {
  const entries = skills.map(({ entry }) => entry)
  const cases = entries.map(
    ({ name }) => `    case '${name}':\n      return (await import('./skills/${name}.ts')).skill\n`,
  )
  return `import type { ShippedEntry, ShippedSkill } from '../skill-entry.ts'

/** What is known of each shipped skill without loading it. */
export const shippedEntries: readonly ShippedEntry[] = ${JSON.stringify(entries, null, 2)}

/** Loads one shipped skill by name, and nothing else. */
export const loadShipped = async (name: string): Promise<ShippedSkill | undefined> => {
  switch (name) {
${cases.join('')}    default:
      return undefined
  }
}
`
}
