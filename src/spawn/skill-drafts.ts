import { printable, readable } from '../kernel/print/printable.ts'
import type { Fence } from '../prompt/fence.ts'
import type { SkillDraft } from '../prompt/fit-prompt.ts'
import type { Skill } from '../skills/entry.ts'
import type { ChosenSkill } from './skills.ts'
import type { LoadedSource, SkillTexts } from './texts.ts'

/** Fills in the tokens of a text; those of a skill know its folder. */
export type FillText = (text: LoadedSource, folder?: string) => string

interface Means {
  filled: FillText
  fence: Fence
}

/** The chosen skills as they go into the prompt, before the budget has its say. */
export const skillDrafts = (
  chosen: readonly ChosenSkill[],
  texts: readonly SkillTexts[],
  { filled, fence }: Means,
): SkillDraft[] =>
  chosen.map(({ skill, strategy }, i) => ({
    ...(texts[i]!.untrusted ? asData(skill, texts[i]!, fence) : asWords(skill, texts[i]!, filled)),
    version: skill.version,
    folder: printable(skill.folder),
    strategy,
  }))

type Words = Omit<SkillDraft, 'version' | 'folder' | 'strategy'>

const asWords = ({ name, description, folder }: Skill, texts: SkillTexts, filled: FillText): Words => ({
  name: printable(name),
  description: readable(description),
  frontMatter: withoutHeadings(readable(texts.frontMatter)),
  body: filled(texts.body, folder),
  references: texts.references.map(({ path, text }) => ({
    path: printable(path),
    text: filled(text, folder),
  })),
})

/** Nobody has said yes to it: all of it stands in fences as it is, no name filled in, and outside of them it says nothing. */
const asData = ({ name, description }: Skill, texts: SkillTexts, fence: Fence): Words => ({
  name: plain(name),
  description: fence(description, plain(name)),
  frontMatter: '',
  body: fence(`${texts.frontMatter}\n${texts.body.source.text}`, `${name}/SKILL.md`),
  references: texts.references.map(({ path, text }) => ({
    path: plain(path),
    text: fence(text.source.text, `${name}/${path}`),
  })),
  foreign: true,
})

/** Comments and long texts of the front matter may look like headings; four blanks in, they do not. */
const withoutHeadings = (frontMatter: string): string => frontMatter.replace(/^ {0,3}(?=#)/gm, '    ')

const plain = (name: string): string => name.replaceAll(/[^\w./-]+/g, '_').slice(0, 64)
