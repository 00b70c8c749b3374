import type { Protocol } from '../../model/protocol.ts'
import type { Stage } from '../../model/task.ts'
import { antiPatterns } from '../../prompt/generated/anti-patterns.ts'
import { protocolTexts } from '../../prompt/generated/protocols.ts'
import { stageTexts } from '../../prompt/generated/stages.ts'
import type { Loaded } from '../../prompt/tokens/loaded.ts'
import type { Source } from '../../prompt/tokens/source.ts'
import type { Context } from '../context.ts'
import { readSkill } from '../skills/read-skill.ts'
import { loadNeeds } from '../tokens/load.ts'
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
  const warnings: string[] = []
  const load = async (source: Source): Promise<LoadedSource> => {
    const loaded = { source, loaded: await loadNeeds(context, source) }
    sources.push(loaded)
    return loaded
  }
  const shipped = (text: string, where: string) => load({ text, where, kind: 'template', trusted: true })
  const staged = context.config.stages !== false
  const own = protocolSource(context, protocol)
  warnings.push(...own.warnings)
  const texts = {
    base: await shipped(protocolTexts.base, 'protocols/base.md'),
    protocol: await load(own.source),
    ...(staged && { guidance: await shipped(stageTexts[stage], `stages/${stage}.md`) }),
    ...(tier === 2 && { antiPatterns: await shipped(antiPatterns, 'anti-patterns.md') }),
  }
  const skills: SkillTexts[] = []
  for (const { skill, strategy } of chosen) {
    const read = await readSkill(context, skill, { references: strategy === 'comprehensive' })
    warnings.push(...read.warnings)
    const untrusted = skill.trust !== 'trusted'
    const source = (text: string, path: string): Source => ({
      text,
      where: `${skill.name}/${path}`,
      kind: skill.template && !untrusted ? 'template' : 'skill',
      folder: skill.folder,
      trusted: !untrusted,
    })
    const references = []
    for (const { path, text } of read.references)
      references.push({ path, text: await load(source(text, path)) })
    skills.push({
      frontMatter: read.frontMatter,
      body: await load(source(read.body, 'SKILL.md')),
      references,
      untrusted,
    })
  }
  const fenced = skills
    .filter(({ untrusted }) => untrusted)
    .flatMap(({ frontMatter, body, references }) => [
      frontMatter,
      body.source.text,
      ...references.map(({ text }) => text.source.text),
    ])
  return { ...texts, skills, sources, fenced, warnings }
}
