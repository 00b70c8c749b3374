import type { Protocol } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import { belowSkill, demote } from '../markdown/headings.ts'
import type { Context } from '../operation/context.ts'
import type { Loaded } from '../prompt/tokens/loaded.ts'
import type { Source } from '../prompt/tokens/source.ts'
import { readSkill } from '../skills/read-skill.ts'
import { antiPatterns } from './generated/anti-patterns.ts'
import { protocolTexts } from './generated/protocols.ts'
import { stageTexts } from './generated/stages.ts'
import { loadNeeds } from './load-tokens.ts'
import { protocolSource } from './protocol-source.ts'
import type { ChosenSkill } from './skills.ts'

export interface LoadedSource {
  source: Source
  loaded: Loaded
}

export interface SkillTexts {
  frontMatter: string
  body: LoadedSource
  references: { path: string; text: LoadedSource }[]
  /** Nobody has said yes to it: all of it is data. */
  untrusted: boolean
  warnings: string[]
}

/** The texts a prompt is made of, and what their tokens need. */
export interface Texts {
  base: LoadedSource
  protocol: LoadedSource
  guidance?: LoadedSource
  antiPatterns?: LoadedSource
  skills: SkillTexts[]
  /** All of the above. */
  sources: LoadedSource[]
  /** Texts that stand in a fence as a whole. */
  fenced: string[]
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
): Promise<Texts> => {
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
    protocol: await load({ ...own.source, text: ownWords(own.source.text, protocol) }),
    ...(staged && { guidance: await shipped(stageTexts[stage], `stages/${stage}.md`) }),
    ...(tier === 2 && { antiPatterns: await shipped(antiPatterns, 'anti-patterns.md') }),
  }
  const skills: SkillTexts[] = []
  for (const one of chosen) skills.push(await loadSkill(context, one, load))
  const warnings = [...own.warnings, ...skills.flatMap((skill) => skill.warnings)]
  return { ...texts, skills, sources, fenced: skills.flatMap(fencedOf), warnings }
}

/** A project's own protocol stands below the heading of its section, whatever it is written like. */
const ownWords = (text: string, protocol: Protocol): string =>
  text === protocolTexts[protocol] ? text : demote(text, 2)

type Load = (source: Source) => Promise<LoadedSource>

const loadSkill = async (
  context: Context,
  { skill, strategy }: ChosenSkill,
  load: Load,
): Promise<SkillTexts> => {
  const read = await readSkill(context, skill, { references: strategy === 'comprehensive' })
  const untrusted = skill.trust !== 'trusted'
  const source = (text: string, path: string): Source => ({
    text,
    where: `${skill.name}/${path}`,
    kind: skill.template && !untrusted ? 'template' : 'skill',
    folder: skill.folder,
    trusted: !untrusted,
  })
  // Before anything is filled in: what comes in through a token cannot keep a heading from being lowered.
  const lowered = (text: string) => (untrusted ? text : demote(text, belowSkill))
  const references: SkillTexts['references'] = []
  for (const { path, text } of read.references)
    references.push({ path, text: await load(source(lowered(text), path)) })
  return {
    frontMatter: read.frontMatter,
    body: await load(source(read.demoted ?? lowered(read.body), 'SKILL.md')),
    references,
    untrusted,
    warnings: read.warnings,
  }
}

/** The texts of a skill that stands in a fence as a whole. */
const fencedOf = ({ untrusted, frontMatter, body, references }: SkillTexts): string[] =>
  untrusted ? [frontMatter, body.source.text, ...references.map(({ text }) => text.source.text)] : []
