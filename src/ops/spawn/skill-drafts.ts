import { belowSkill, demote } from '../../prompt/markdown/demote.ts'
import type { Fence } from '../../prompt/spawn/fence.ts'
import type { SkillDraft } from '../../prompt/spawn/fit-prompt.ts'
import { type Lookup, withFolder } from './names.ts'
import type { ChosenSkill } from './skills.ts'
import type { LoadedSource, SkillTexts } from './texts.ts'

export type FillText = (text: LoadedSource, value?: Lookup) => string

interface Means {
  filled: FillText
  lookup: Lookup
  fence: Fence
}

/** The chosen skills with every token resolved; one that nobody trusts stands in a fence, whole. */
export const skillDrafts = (
  chosen: readonly ChosenSkill[],
  texts: readonly SkillTexts[],
  means: Means,
): SkillDraft[] => chosen.map((one, i) => draft(one, texts[i]!, means))

const draft = (
  { skill, strategy }: ChosenSkill,
  texts: SkillTexts,
  { filled, lookup, fence }: Means,
): SkillDraft => {
  const { name, version, description, folder } = skill
  const value = withFolder(lookup, folder)
  const words = (text: LoadedSource): string => demote(filled(text, value), belowSkill)
  const body = texts.lowered ? filled(texts.body, value) : words(texts.body)
  const references = texts.references.map(({ path, text }) => ({ path, text: words(text) }))
  if (!texts.untrusted)
    return {
      name,
      version,
      description,
      folder,
      strategy,
      frontMatter: texts.frontMatter,
      body,
      references,
    }
  return {
    name,
    version,
    description: fence(description, name),
    folder,
    strategy,
    frontMatter: '',
    body: fence(`${texts.frontMatter}\n${body}`, `${name}/SKILL.md`),
    references: references.map(({ path, text }) => ({ path, text: fence(text, `${name}/${path}`) })),
  }
}
