import { type FenceMarks, fitsForSure, largestFitting } from './cut.ts'
import type { Measure } from './measure.ts'
import { inOrder, minimalEnd, minimalLines, type SkillText, type Strategy, strategyText } from './strategy.ts'
import { truncateSkill } from './truncate.ts'

export interface SkillToFit extends SkillText {
  name: string
  strategy: Strategy
  /** The text that replaces a supporting skill if the whole skill does not fit. */
  summary: string
}

export interface FittedSkill {
  name: string
  strategy: Strategy
  text: string
  tokens: number
  cuts: string[]
}

/**
 * Fits the skills of a prompt into their share of the budget. The first skill is the primary one. If the skills are
 * too large, first leaves out reference files, largest first. Then reduces supporting skills to their description,
 * last first. Then cuts the primary skill.
 */
export const fitSkills = (
  skills: readonly SkillToFit[],
  limit: number,
  measure: Measure,
  closing?: FenceMarks,
): FittedSkill[] | 'unsure' => {
  const files = referencesBySize(skills, measure)
  const without = (most: number): SkillDraft[] => {
    const gone = new Set(files.slice(0, most))
    return skills.map((skill, i) => draftSkill(skill, (path) => !gone.has(`${i}/${path}`), closing))
  }
  const named = (count: number): SkillDraft[] =>
    without(files.length).map((draft, i) =>
      i > 0 && i >= skills.length - count ? summaryDraft(skills[i]!, true) : draft,
    )
  const steps = [
    () => without(0),
    ...(files.length > 0 ? [() => without(fewestFiles(files.length, limit, measure, without))] : []),
    ...skills.slice(1).map((_, i) => () => named(i + 1)),
  ]
  for (const step of steps) {
    const drafts = step()
    const fits = measure.fits(joinTexts(drafts), limit)
    if (fits === 'unsure') return 'unsure'
    if (fits === 'yes') return withTokens(drafts, measure)
  }
  return withTokens(onlyPrimary(skills, limit, measure, closing), measure)
}

/** Identifies a reference file by the number of its skill and its path in the skill's folder. */
type ReferenceKey = `${number}/${string}`

/** Largest first. Of two files of the same size, the later one comes first. */
const referencesBySize = (skills: readonly SkillToFit[], measure: Measure): ReferenceKey[] =>
  skills
    .flatMap(({ strategy, references }, i) =>
      strategy !== 'comprehensive'
        ? []
        : inOrder(references).map(({ path, text }) => ({
            key: `${i}/${path}` as const,
            tokens: measure.count(text),
          })),
    )
    .toReversed()
    .sort((a, b) => b.tokens - a.tokens)
    .map(({ key }) => key)

/** Returns how many files to leave out: as few as possible; all, if the skills are too long even without files. */
const fewestFiles = (
  all: number,
  limit: number,
  measure: Measure,
  without: (most: number) => readonly SkillDraft[],
): number =>
  all -
  Math.max(
    0,
    largestFitting(all, (kept) => fitsForSure(joinTexts(without(all - kept)), limit, measure)),
  )

type SkillDraft = Omit<FittedSkill, 'tokens'>

const withTokens = (drafts: readonly SkillDraft[], measure: Measure): FittedSkill[] =>
  drafts.map((draft) => ({ ...draft, tokens: measure.count(draft.text) }))

const joinTexts = (drafts: readonly SkillDraft[]): string => drafts.map(({ text }) => text).join('\n\n')

const draftSkill = (
  skill: SkillToFit,
  isKept: (path: string) => boolean,
  closing?: FenceMarks,
): SkillDraft => {
  const { name, strategy } = skill
  const files = strategy === 'comprehensive' ? inOrder(skill.references) : []
  const references = files.filter(({ path }) => isKept(path))
  const reached = files.length > 0 && references.length === 0 ? 'standard' : strategy
  const text = strategyText({ ...skill, references }, reached, closing)
  const cuts = files.flatMap(({ path }) => (isKept(path) ? [] : [`${path} left out`]))
  return { name, strategy: reached, text, cuts: strategy === 'minimal' ? cutToMinimal(skill) : cuts }
}

const cutToMinimal = ({ body }: SkillToFit): string[] =>
  body.slice(minimalEnd(body)).trim() === ''
    ? []
    : [`everything after the first ${minimalLines} lines left out`]

/**
 * Reduces all supporting skills to their descriptions. If the descriptions take more than half of the limit, leaves out
 * the last ones. The primary skill gets the remaining room. It keeps the sections that fit, or its first lines,
 * whichever is longer.
 */
const onlyPrimary = (
  skills: readonly SkillToFit[],
  limit: number,
  measure: Measure,
  closing?: FenceMarks,
): SkillDraft[] => {
  const named = (count: number): SkillDraft[] =>
    skills.map((skill, i) => (i === 0 ? emptyDraft(skill) : summaryDraft(skill, i < count)))
  const count = largestFitting(skills.length, (names) =>
    fitsForSure(joinTexts(named(names)), Math.floor(limit / 2), measure),
  )
  const drafts = named(Math.max(0, count))
  const skill = skills[0]
  if (!skill) return []
  const beside: Measure = {
    ...measure,
    fits: (text, most) => measure.fits(joinTexts(drafts.with(0, { ...drafts[0]!, text })), most),
  }
  const files = skill.strategy === 'comprehensive' ? skill.references.length : 0
  const gone = files > 0 ? [`${files} reference ${files === 1 ? 'file' : 'files'} left out`] : []
  const { name } = skill
  const first = strategyText(skill, 'minimal', closing)
  if (skill.strategy !== 'minimal') {
    const bySection = truncateSkill(strategyText(skill, 'standard', closing), limit, beside, closing)
    const isMore = fitsForSure(first, limit, beside) && measure.count(first) > measure.count(bySection.text)
    const { text, cuts } = isMore ? { text: first, cuts: cutToMinimal(skill) } : bySection
    return drafts.with(0, {
      name,
      strategy: isMore ? 'minimal' : 'standard',
      text,
      cuts: [...gone, ...cuts],
    })
  }
  const { text, cuts } = truncateSkill(first, limit, beside, closing)
  return drafts.with(0, { name, strategy: 'minimal', text, cuts: [...cutToMinimal(skill), ...cuts] })
}

const emptyDraft = ({ name, strategy }: SkillToFit): SkillDraft => ({ name, strategy, text: '', cuts: [] })

const summaryDraft = ({ name, summary }: SkillToFit, room: boolean): SkillDraft => ({
  name,
  strategy: 'minimal',
  text: room ? summary : '',
  cuts: [room ? 'all but its description left out' : 'left out'],
})
