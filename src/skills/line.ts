import * as v from 'valibot'
import type { Finding } from '../kernel/finding.ts'
import type { Page } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import type { Skill } from './catalogue.ts'

/** What lists show of a skill. Those of the user and of CLEO need nobody's trust. */
export const lineShape = () =>
  v.object({
    name: v.string(),
    version: v.string(),
    origin: v.picklist(['project', 'user', 'shipped']),
    path: v.optional(v.string()),
    trust: v.optional(v.picklist(['trusted', 'changed', 'new'])),
    shadows: v.optional(v.array(v.string())),
    /** What it is for, in its first sentence. */
    about: v.optional(v.string()),
  })
export type SkillLine = v.InferOutput<ReturnType<typeof lineShape>>

export const toLine = ({ name, version, origin, path, trust, shadows }: Skill): SkillLine => ({
  name,
  version,
  origin,
  ...(origin !== 'shipped' && { path }),
  ...(origin === 'project' && { trust }),
  ...(shadows.length > 0 && { shadows }),
})

/** For those who choose. */
export const toListed = (skill: Skill): SkillLine => ({
  ...toLine(skill),
  about: firstSentence(skill.description),
})

const firstSentence = (text: string): string => {
  const end = text.indexOf('. ')
  const sentence = end < 0 ? text : text.slice(0, end + 1)
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence
}

export const drawSkills = (skills: readonly SkillLine[], style: Style): string[] =>
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

const noteOf = (trust: SkillLine['trust'], shadows: readonly string[] | undefined, style: Style): string => {
  const others = shadows ? `shadows ${shadows.join(', ')}` : ''
  if (trust === undefined || trust === 'trusted') return others && style.dim(others)
  const until = `${trust}: no part until trusted`
  return `${style.yellow(until)}${others ? style.dim(`; ${others}`) : ''}`
}

export const From = describe(
  v.pipe(v.number(), v.integer(), v.minValue(1)),
  'where the last page ended: its `next`',
)

export const pageFrom = <T>(all: readonly T[], limit: number, from = 0): { shown: T[]; page: Page } => {
  const shown = all.slice(from, from + limit)
  const next = from + shown.length
  return { shown, page: { total: all.length, limit, ...(next < all.length && { next: String(next) }) } }
}

const mostTold = 5

/** What is wrong in a few lines, for those who asked for something else. */
export const problemLines = (problems: readonly Finding[]): string[] => {
  const lines = problems.slice(0, mostTold).map(({ file, message }) => `${file} ${message}`)
  const more = problems.length - lines.length
  return more > 0 ? [...lines, `${more} more; see: cleo skills validate`] : lines
}
