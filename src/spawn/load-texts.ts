import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import { trustAdvice } from '../kernel/actor.ts'
import type { Protocol } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import { normalised } from '../kernel/text.ts'
import { splitFrontMatter } from '../markdown/front-matter.ts'
import { embedded, headingDepth } from '../markdown/headings.ts'
import type { Context, Project } from '../operation/context.ts'
import { trustedHashes } from '../project/trust-records.ts'
import { foreignTexts, type LoadedNeeds, type Source } from '../prompt/tokens/source.ts'
import { readSkill } from '../skills/read-skill.ts'
import type { ChosenSkill } from './choose-skills.ts'
import { antiPatterns } from './generated/anti-patterns.ts'
import { protocolTexts } from './generated/protocols.ts'
import { stageTexts } from './generated/stages.ts'
import { loadNeeds } from './load-tokens.ts'

export interface LoadedSource {
  source: Source
  loaded: LoadedNeeds
}

export interface LoadedSkill extends ChosenSkill {
  body: LoadedSource
  references: { path: string; text: LoadedSource }[]
}

export interface LoadedTexts {
  base: LoadedSource
  protocol: LoadedSource
  guidance?: LoadedSource
  antiPatterns?: LoadedSource
  skills: LoadedSkill[]
  /** All loaded text that the prompt can contain in fences. */
  foreign: string[]
  warnings: string[]
}

interface Which {
  protocol: Protocol
  stage: Stage
  tier: number
}

export const loadTexts = async (
  context: Context,
  { protocol, stage, tier }: Which,
  chosen: readonly ChosenSkill[],
): Promise<LoadedTexts> => {
  const sources: LoadedSource[] = []
  const load: Load = async (source) => {
    const loaded = { source, loaded: await loadNeeds(context, source) }
    sources.push(loaded)
    return loaded
  }
  const shipped = (text: string, where: string) => load({ text, where, kind: 'template', trusted: true })
  const staged = context.config.stages !== false
  const own = protocolSource(context, protocol)
  const texts = {
    base: await shipped(protocolTexts.base, 'protocols/base.md'),
    protocol: await load({ ...own.source, text: belowProtocol(own.source.text, protocol) }),
    ...(staged && { guidance: await shipped(stageTexts[stage], `stages/${stage}.md`) }),
    ...(tier === 2 && { antiPatterns: await shipped(antiPatterns, 'anti-patterns.md') }),
  }
  const skills: LoadedSkill[] = []
  const warnings = [...own.warnings]
  for (const one of chosen) skills.push(await loadSkill(context, one, load, warnings))
  const foreign = [...sources.flatMap(({ loaded }) => foreignTexts(loaded)), ...skills.flatMap(fencedTexts)]
  return { ...texts, skills, foreign, warnings }
}

const mostBytes = 256 * 1024

/** Returns the project's own text of this protocol if a person trusted it, else the shipped text. */
const protocolSource = (project: Project, protocol: Protocol): { source: Source; warnings: string[] } => {
  const where = `protocols/${protocol}.md`
  const shipped: Source = { text: protocolTexts[protocol], where, kind: 'template', trusted: true }
  const { host, root } = project
  if (host.files.sizeSeen(`${root}/${where}`) === 0) return { source: shipped, warnings: [] }
  const read = readInside(root, where, mostBytes)
  if (!read.ok) return { source: shipped, warnings: [] }
  const divided = splitFrontMatter(normalised(read.text))
  // Do not warn about a file that is not a CLEO template: many projects use the folder `protocols` for something else.
  if (!divided.ok || !divided.frontMatter.includes('cleo-template')) return { source: shipped, warnings: [] }
  if (trustedHashes(project)(`template:${where}`) !== sha256(read.text))
    return {
      source: shipped,
      warnings: [`${where} is not trusted and was not used; ${trustAdvice(project)}`],
    }
  // Leave `folder` unset: the person trusted only this file, so other files in its folder must be included as data.
  return { source: { text: divided.body, where, kind: 'template', trusted: true }, warnings: [] }
}

/** Lowers the headings of a project's own protocol below the heading of its section. */
const belowProtocol = (text: string, protocol: Protocol): string =>
  text === protocolTexts[protocol] ? text : embedded(text, 2)

type Load = (source: Source) => Promise<LoadedSource>

const loadSkill = async (
  context: Context,
  chosen: ChosenSkill,
  load: Load,
  warnings: string[],
): Promise<LoadedSkill> => {
  const { skill, strategy } = chosen
  const read = await readSkill(context, skill, { references: strategy === 'comprehensive' })
  warnings.push(...read.warnings)
  const trusted = skill.trust === 'trusted'
  const source = (text: string, path: string): Source => ({
    text,
    where: `${skill.name}/${path}`,
    kind: skill.template && trusted ? 'template' : 'skill',
    folder: skill.folder,
    trusted,
  })
  // Lower the headings before filling in tokens. The text that replaces a token could contain an open code fence,
  // which would hide the headings after it.
  const lowered = (text: string) => (trusted ? embedded(text, headingDepth) : text)
  const references: LoadedSkill['references'] = []
  for (const { path, text } of read.references)
    references.push({ path, text: await load(source(lowered(text), path)) })
  return {
    ...chosen,
    body: await load(source(read.demoted ?? lowered(read.body), 'SKILL.md')),
    references,
  }
}

/** Returns all text of an untrusted skill, because all of it is fenced; nothing for a trusted skill. */
const fencedTexts = ({ skill, body, references }: LoadedSkill): string[] =>
  skill.trust === 'trusted' ? [] : [body.source.text, ...references.map(({ text }) => text.source.text)]
