import { type Closing, most, surely } from './cut.ts'
import type { Measure } from './measure.ts'
import { type Strategy, strategies } from './strategy.ts'
import { inOrder, minimalEnd, minimalLines, type SkillText, strategyText } from './strategy-text.ts'
import { truncateSkill } from './truncate.ts'

export interface Fittable extends SkillText {
  name: string
  /** The one the task is done by; the others support it. */
  primary: boolean
  strategy: Strategy
  /** What is left of a supporting skill where there is no room. */
  summary: string
}

export interface Fitted {
  name: string
  strategy: Strategy
  text: string
  tokens: number
  /** What is missing, in words. */
  cuts: string[]
}

/**
 * Makes the skills of a prompt fit their share. References come in as long as there is room. Over it, all skills drop
 * to a lower strategy; then the supporting ones shrink to what they are for and the primary one loses sections.
 */
export const fitSkills = (
  skills: readonly Fittable[],
  limit: number,
  measure: Measure,
  closing?: Closing,
): Fitted[] | 'unsure' => {
  for (const highest of ['standard', 'minimal'] as const) {
    const drafts = skills.map((skill) => drafted(skill, highest, closing))
    const fits = measure.fits(together(drafts), limit)
    if (fits === 'unsure') return 'unsure'
    if (fits === 'no') continue
    const whole = highest === 'standard' ? withReferences(skills, drafts, limit, measure) : drafts
    return whole === 'unsure' ? 'unsure' : counted(whole, measure)
  }
  return counted(squeezed(skills, limit, measure, closing), measure)
}

type Draft = Omit<Fitted, 'tokens'>

const counted = (drafts: readonly Draft[], measure: Measure): Fitted[] =>
  drafts.map((draft) => ({ ...draft, tokens: measure.count(draft.text) }))

const together = (drafts: readonly Draft[]): string => drafts.map(({ text }) => text).join('\n\n')

const drafted = (skill: Fittable, highest: Strategy, closing?: Closing): Draft => {
  const { name, body } = skill
  const strategy = lower(skill.strategy, highest)
  const more = body.slice(minimalEnd(body)).trim() !== ''
  const cuts = [
    ...(strategy === 'minimal' && skill.strategy !== 'minimal'
      ? [`minimal instead of ${skill.strategy}`]
      : []),
    ...(strategy === 'minimal' && more ? [`what follows the first ${minimalLines} lines left out`] : []),
  ]
  return { name, strategy, text: strategyText(skill, strategy, closing), cuts }
}

const lower = (a: Strategy, b: Strategy): Strategy =>
  strategies[Math.min(strategies.indexOf(a), strategies.indexOf(b))]!

/** Whole files in the order of their paths, those of the first skill first, up to the one that is too much. */
const withReferences = (
  skills: readonly Fittable[],
  drafts: readonly Draft[],
  limit: number,
  measure: Measure,
): Draft[] | 'unsure' => {
  const files = skills.map(({ strategy, references }) =>
    strategy === 'comprehensive' ? inOrder(references) : [],
  )
  const first = (count: number): Draft[] => {
    let room = count
    return drafts.map((draft, i) => {
      const taken = Math.min(room, files[i]!.length)
      room -= taken
      return files[i]!.length === 0 ? unchanged(skills[i]!, draft) : referring(skills[i]!, draft, taken)
    })
  }
  const all = files.reduce((sum, { length }) => sum + length, 0)
  const fits = all === 0 ? 'yes' : measure.fits(together(first(all)), limit)
  if (fits === 'unsure') return 'unsure'
  if (fits === 'yes') return first(all)
  return first(
    Math.max(
      0,
      most(all - 1, (count) => surely(together(first(count)), limit, measure)),
    ),
  )
}

const unchanged = ({ strategy }: Fittable, draft: Draft): Draft => ({ ...draft, strategy })

const referring = (skill: Fittable, draft: Draft, taken: number): Draft => ({
  ...draft,
  strategy: taken > 0 ? 'comprehensive' : 'standard',
  text: strategyText(skill, 'comprehensive', undefined, taken),
  cuts: inOrder(skill.references)
    .slice(taken)
    .map(({ path }) => `${path} left out`),
})

/** Nothing fits as it is: supporting skills are only named, the primary one takes what they leave. */
const squeezed = (
  skills: readonly Fittable[],
  limit: number,
  measure: Measure,
  closing?: Closing,
): Draft[] => {
  const primary = Math.max(
    0,
    skills.findIndex((skill) => skill.primary),
  )
  const named = (count: number): Draft[] =>
    skills.map((skill, i) => (i === primary ? empty(skill) : naming(skill, i < count)))
  const count = most(skills.length, (names) => surely(together(named(names)), Math.floor(limit / 2), measure))
  const drafts = named(Math.max(0, count))
  const skill = skills[primary]
  if (!skill) return []
  const beside: Measure = {
    ...measure,
    fits: (text, most) => measure.fits(together(drafts.with(primary, { ...drafts[primary]!, text })), most),
  }
  const strategy = lower(skill.strategy, 'standard')
  const { text, cuts } = truncateSkill(strategyText(skill, strategy, closing), limit, beside, closing)
  const files = skill.strategy === 'comprehensive' ? skill.references.length : 0
  const gone = files > 0 ? [`${files} reference ${files === 1 ? 'file' : 'files'} left out`] : []
  return drafts.with(primary, { name: skill.name, strategy, text, cuts: [...gone, ...cuts] })
}

const empty = ({ name, strategy }: Fittable): Draft => ({ name, strategy, text: '', cuts: [] })

const naming = ({ name, summary }: Fittable, room: boolean): Draft => ({
  name,
  strategy: 'minimal',
  text: room ? summary : '',
  cuts: [room ? 'all but its description left out' : 'left out'],
})
