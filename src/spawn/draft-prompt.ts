import type { families } from '../kernel/config-words.ts'
import { printable, readable } from '../print/printable.ts'
import { estimateMeasure, type Measure } from '../prompt/budget/measure.ts'
import { strategyText } from '../prompt/budget/strategy.ts'
import { type Fence, fenceWith } from '../prompt/data-fence.ts'
import type { PromptDraft, SkillDraft } from '../prompt/fit-prompt.ts'
import { type FilledText, fill } from '../prompt/tokens/fill.ts'
import { type Lookup, withFolder } from '../prompt/tokens/names.ts'
import { protocolTexts, protocolTokens } from './generated/protocols.ts'
import type { LoadedPrompt } from './load-prompt.ts'
import type { LoadedSkill, LoadedSource } from './load-texts.ts'

/** The prompt of one spawn with its template tokens filled in, before it is fitted into its budget. */
export interface DraftedPrompt {
  draft: Omit<PromptDraft, 'pathOf'>
  fills: readonly FilledText[]
  /** Estimates token counts and remembers the results. */
  estimate: Measure
  /** Names set with `--set` that no text uses. */
  unused: readonly string[]
}

export const draftPrompt = (
  loaded: LoadedPrompt,
  spawnId: string,
  set: readonly string[],
  family: (typeof families)[number],
): DraftedPrompt => {
  const { texts, nonce, limits } = loaded
  const facts = { ...loaded.facts, spawnId }
  const lookups = loaded.lookups(spawnId)
  const fills: FilledText[] = []
  const used = new Set<string>()
  const noting =
    (lookup: Lookup): Lookup =>
    (name) => {
      used.add(name)
      // The slug is made from the topic, so a text that uses the slug also uses the topic.
      if (name === 'TOPIC_SLUG') used.add('TOPIC')
      return lookup(name)
    }
  const fence = fenceWith(nonce)
  const filled: FillText = ({ source, loaded }, folder) => {
    const lookup = noting(source.kind === 'template' ? lookups.any : lookups.known)
    const one = fill(source, loaded, folder === undefined ? lookup : withFolder(lookup, folder), fence)
    fills.push(one)
    return readable(one.text).trimEnd()
  }
  const draft = {
    facts,
    nonce,
    protocols: [filled(texts.base), filled(texts.protocol)],
    ...(texts.guidance && { guidance: filled(texts.guidance) }),
    ...(texts.antiPatterns && { antiPatterns: filled(texts.antiPatterns) }),
    skills: texts.skills.map((skill) => skillDraft(skill, filled, fence)),
    limits,
  }
  return {
    draft,
    fills,
    estimate: estimateMeasure(family, knownCounts(draft, loaded)),
    unused: set.map((one) => one.slice(0, one.indexOf('='))).filter((name) => !used.has(name)),
  }
}

/** `folder` is the folder of the skill that the text belongs to. */
type FillText = (text: LoadedSource, folder?: string) => string

const skillDraft = (loaded: LoadedSkill, filled: FillText, fence: Fence): SkillDraft => ({
  ...(loaded.skill.trust === 'trusted' ? asText(loaded, filled) : asData(loaded, fence)),
  version: loaded.skill.version,
  folder: printable(loaded.skill.folder),
  strategy: loaded.strategy,
})

type SkillWords = Omit<SkillDraft, 'version' | 'folder' | 'strategy'>

const asText = ({ skill, body, references }: LoadedSkill, filled: FillText): SkillWords => ({
  name: printable(skill.name),
  description: readable(skill.description),
  body: filled(body, skill.folder),
  references: references.map(({ path, text }) => ({
    path: printable(path),
    text: filled(text, skill.folder),
  })),
})

/**
 * Puts all text of an untrusted skill into fences and fills in no tokens. Names and paths keep only safe characters.
 */
const asData = ({ skill, body, references }: LoadedSkill, fence: Fence): SkillWords => ({
  name: plain(skill.name),
  description: fence(skill.description, plain(skill.name)),
  body: fence(body.source.text, `${skill.name}/SKILL.md`),
  references: references.map(({ path, text }) => ({
    path: plain(path),
    text: fence(text.source.text, `${skill.name}/${path}`),
  })),
  foreign: true,
})

const plain = (name: string): string => name.replaceAll(/[^\w./-]+/g, '_').slice(0, 64)

/**
 * The counts of shipped texts were computed when CLEO was built. They do not include the few tokens that filled-in
 * values add.
 */
const knownCounts = (draft: DraftedPrompt['draft'], { facts, texts }: LoadedPrompt): Map<string, number> => {
  const known = new Map([[draft.protocols[0]!, protocolTokens.base]])
  if (texts.protocol.source.text === protocolTexts[facts.protocol])
    known.set(draft.protocols[1]!, protocolTokens[facts.protocol])
  for (const [i, { skill }] of texts.skills.entries())
    if (skill.tokens !== undefined) known.set(strategyText(draft.skills[i]!, 'standard'), skill.tokens)
  return known
}
