import * as v from 'valibot'
import type { FileFinding } from '../kernel/file-finding.ts'
import type { Page } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import type { Skill } from './skill-entry.ts'

/** Only project skills have `trust`, because all other skills are trusted. */
export const skillSummary = () =>
  v.object({
    name: v.string(),
    version: v.string(),
    origin: v.picklist(['project', 'user', 'shipped']),
    path: v.optional(v.string()),
    /** Only for project skills: whether a person trusted the skill, and whether it has changed since. */
    trust: v.optional(v.picklist(['trusted', 'changed', 'new'])),
    /** Paths of other skills with the same name. This skill is used instead of them. */
    shadows: v.optional(v.array(v.string())),
    /** The first sentence of the description. */
    about: v.optional(v.string()),
  })
export type SkillSummary = v.InferOutput<ReturnType<typeof skillSummary>>

export const toSummary = ({ name, version, origin, path, trust, shadows }: Skill): SkillSummary => ({
  name,
  version,
  origin,
  ...(origin !== 'shipped' && { path }),
  ...(origin === 'project' && { trust }),
  ...(shadows.length > 0 && { shadows }),
})

export const toSummaryWithPurpose = (skill: Skill): SkillSummary => ({
  ...toSummary(skill),
  about: firstSentence(skill.description),
})

/**
 * A first sentence with more characters than this is cut. The first sentences of the shipped skills are shorter.
 */
const mostOfSentence = 140

const firstSentence = (text: string): string => {
  const end = text.indexOf('. ')
  const sentence = end < 0 ? text : text.slice(0, end + 1)
  if (sentence.length <= mostOfSentence) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', mostOfSentence - 1))} …`
}

export const drawSkills = (skills: readonly SkillSummary[], style: Style): string[] =>
  skills.length === 0
    ? [style.dim('Nothing found.')]
    : style.table(
        skills.map(({ name, version, origin, path, trust, shadows, about }) => [
          style.cyan(name),
          style.dim(version),
          path ?? style.dim(origin),
          noteOf(trust, shadows, style) || style.dim(about ?? ''),
        ]),
        3,
      )

const noteOf = (
  trust: SkillSummary['trust'],
  shadows: readonly string[] | undefined,
  style: Style,
): string => {
  const others = shadows ? `shadows ${shadows.join(', ')}` : ''
  if (trust === undefined || trust === 'trusted') return others && style.dim(others)
  const until = `${trust}: not used until trusted`
  return `${style.yellow(until)}${others ? style.dim(`; ${others}`) : ''}`
}

export const SkillsAfter = describe(
  v.pipe(v.number(), v.integer(), v.minValue(1)),
  'the `next` value of the previous page',
)

export const pageFrom = <T>(all: readonly T[], limit: number, from = 0): { shown: T[]; page: Page } => {
  const shown = all.slice(from, from + limit)
  const next = from + shown.length
  return { shown, page: { total: all.length, limit, ...(next < all.length && { next: String(next) }) } }
}

const mostWarnings = 5

/** For commands other than `skills validate`. */
export const problemWarnings = (problems: readonly FileFinding[]): string[] => {
  const lines = problems.slice(0, mostWarnings).map(({ file, message }) => `${file} ${message}`)
  const more = problems.length - lines.length
  return more > 0 ? [...lines, `${more} more; see: cleo skills validate`] : lines
}
