import { type FenceMarks, fitsForSure, largestFitting } from './cut.ts'
import type { Measure } from './measure.ts'
import {
  inOrder,
  minimalEnd,
  minimalLines,
  type SkillText,
  type Strategy,
  strategies,
  strategyText,
} from './strategy.ts'
import { truncateSkill } from './truncate.ts'

export interface SkillToFit extends SkillText {
  name: string
  /** The skill that does the task; the others support it. */
  primary: boolean
  strategy: Strategy
  /** The text that replaces a supporting skill if the whole skill does not fit. */
  summary: string
}

export interface FittedSkill {
  name: string
  strategy: Strategy
  text: string
  tokens: number
  /** Descriptions of what was cut, for people. */
  cuts: string[]
}

/**
 * Fits the skills of a prompt into their share of the budget. Reference files are added while there is room. If the
 * skills exceed the share, all of them drop to a lower strategy. If they still exceed it, supporting skills shrink to
 * their description and the primary skill loses sections.
 */
export const fitSkills = (
  skills: readonly SkillToFit[],
  limit: number,
  measure: Measure,
  closing?: FenceMarks,
): FittedSkill[] | 'unsure' => {
  for (const highest of ['standard', 'minimal'] as const) {
    const drafts = skills.map((skill) => draftSkill(skill, highest, closing))
    const fits = measure.fits(joinTexts(drafts), limit)
    if (fits === 'unsure') return 'unsure'
    if (fits === 'no') continue
    const whole = highest === 'standard' ? withReferences(skills, drafts, limit, measure) : drafts
    return whole === 'unsure' ? 'unsure' : withTokens(whole, measure)
  }
  return withTokens(onlyPrimary(skills, limit, measure, closing), measure)
}

type SkillDraft = Omit<FittedSkill, 'tokens'>

const withTokens = (drafts: readonly SkillDraft[], measure: Measure): FittedSkill[] =>
  drafts.map((draft) => ({ ...draft, tokens: measure.count(draft.text) }))

const joinTexts = (drafts: readonly SkillDraft[]): string => drafts.map(({ text }) => text).join('\n\n')

const draftSkill = (skill: SkillToFit, highest: Strategy, closing?: FenceMarks): SkillDraft => {
  const { name, body } = skill
  const strategy = lowerStrategy(skill.strategy, highest)
  const more = body.slice(minimalEnd(body)).trim() !== ''
  const cuts = [
    ...(strategy === 'minimal' && skill.strategy !== 'minimal'
      ? [`minimal instead of ${skill.strategy}`]
      : []),
    ...(strategy === 'minimal' && more ? [`everything after the first ${minimalLines} lines left out`] : []),
  ]
  return { name, strategy, text: strategyText(skill, strategy, closing), cuts }
}

const lowerStrategy = (a: Strategy, b: Strategy): Strategy =>
  strategies[Math.min(strategies.indexOf(a), strategies.indexOf(b))]!

/** Adds whole reference files, skill by skill and sorted by path, until one does not fit. */
const withReferences = (
  skills: readonly SkillToFit[],
  drafts: readonly SkillDraft[],
  limit: number,
  measure: Measure,
): SkillDraft[] | 'unsure' => {
  const files = skills.map(({ strategy, references }) =>
    strategy === 'comprehensive' ? inOrder(references) : [],
  )
  const first = (count: number): SkillDraft[] => {
    let room = count
    return drafts.map((draft, i) => {
      const taken = Math.min(room, files[i]!.length)
      room -= taken
      return files[i]!.length === 0
        ? withRequestedStrategy(skills[i]!, draft)
        : draftWithReferences(skills[i]!, draft, taken)
    })
  }
  const all = files.reduce((sum, { length }) => sum + length, 0)
  const fits = all === 0 ? 'yes' : measure.fits(joinTexts(first(all)), limit)
  if (fits === 'unsure') return 'unsure'
  if (fits === 'yes') return first(all)
  return first(
    Math.max(
      0,
      largestFitting(all - 1, (count) => fitsForSure(joinTexts(first(count)), limit, measure)),
    ),
  )
}

const withRequestedStrategy = ({ strategy }: SkillToFit, draft: SkillDraft): SkillDraft => ({
  ...draft,
  strategy,
})

const draftWithReferences = (skill: SkillToFit, draft: SkillDraft, taken: number): SkillDraft => ({
  ...draft,
  strategy: taken > 0 ? 'comprehensive' : 'standard',
  text: strategyText(skill, 'comprehensive', undefined, taken),
  cuts: inOrder(skill.references)
    .slice(taken)
    .map(({ path }) => `${path} left out`),
})

/** If no strategy fits: shrinks supporting skills to their summary and gives the primary skill the remaining room. */
const onlyPrimary = (
  skills: readonly SkillToFit[],
  limit: number,
  measure: Measure,
  closing?: FenceMarks,
): SkillDraft[] => {
  const primary = Math.max(
    0,
    skills.findIndex((skill) => skill.primary),
  )
  const named = (count: number): SkillDraft[] =>
    skills.map((skill, i) => (i === primary ? emptyDraft(skill) : summaryDraft(skill, i < count)))
  const count = largestFitting(skills.length, (names) =>
    fitsForSure(joinTexts(named(names)), Math.floor(limit / 2), measure),
  )
  const drafts = named(Math.max(0, count))
  const skill = skills[primary]
  if (!skill) return []
  const beside: Measure = {
    ...measure,
    fits: (text, most) => measure.fits(joinTexts(drafts.with(primary, { ...drafts[primary]!, text })), most),
  }
  const strategy = lowerStrategy(skill.strategy, 'standard')
  const { text, cuts } = truncateSkill(strategyText(skill, strategy, closing), limit, beside, closing)
  const files = skill.strategy === 'comprehensive' ? skill.references.length : 0
  const gone = files > 0 ? [`${files} reference ${files === 1 ? 'file' : 'files'} left out`] : []
  return drafts.with(primary, { name: skill.name, strategy, text, cuts: [...gone, ...cuts] })
}

const emptyDraft = ({ name, strategy }: SkillToFit): SkillDraft => ({ name, strategy, text: '', cuts: [] })

const summaryDraft = ({ name, summary }: SkillToFit, room: boolean): SkillDraft => ({
  name,
  strategy: 'minimal',
  text: room ? summary : '',
  cuts: [room ? 'all but its description left out' : 'left out'],
})
