import { readBlocks } from '../../markdown/blocks.ts'
import { type Section, sections } from '../../markdown/headings.ts'
import {
  type CutText,
  closeAll,
  cutLines,
  cutMark,
  type FenceMarks,
  fitsForSure,
  largestFitting,
  lineEnds,
} from './cut.ts'
import type { Measure } from './measure.ts'

/**
 * Shortens a skill to a limit. First cuts references and appendix, then all examples except one, then the other
 * sections from the last to the first. The section that is cut last keeps the lines that fit. Summary and Core Rules
 * stay. If these alone are too long, cuts them after the last line that fits.
 */
export const truncateSkill = (
  text: string,
  limit: number,
  measure: Measure,
  closing?: FenceMarks,
): CutText => {
  if (fitsForSure(text, limit, measure)) return { text, cuts: [] }
  const steps = stepsOf(partsOf(text, closing))
  const after = (count: number): string => closeAll(removeSteps(text, steps.slice(0, count)), closing)
  const spared = largestFitting(steps.length, (count) =>
    fitsForSure(after(steps.length - count), limit, measure),
  )
  const taken = steps.length - Math.max(0, spared)
  if (spared >= 0) {
    const partly = inPart(text, steps.slice(0, taken), { limit, measure, closing })
    return partly ?? { text: after(taken), cuts: wordsOf(steps.slice(0, taken)) }
  }
  const cuts = wordsOf(steps)
  const lines = cutLines(after(taken), limit, measure, closing)
  return { text: lines.text, cuts: [...cuts, ...lines.cuts] }
}

interface CutStep {
  part: SkillPart
  start: number
  end: number
  words: string
  put?: string
}

interface Cutting {
  limit: number
  measure: Measure
  closing: FenceMarks | undefined
}

/**
 * Keeps the first lines of the section that was cut last, as many as fit. Returns undefined if fewer than four lines
 * fit, or if the last cut was an appendix or only some of the examples.
 */
const inPart = (
  text: string,
  steps: readonly CutStep[],
  { limit, measure, closing }: Cutting,
): CutText | undefined => {
  const last = steps.at(-1)
  if (!last || last.part.role === 'appendix' || last.start !== last.part.start) return undefined
  const ends = lineEnds(text.slice(last.start, last.end))
  const upTo = (lines: number): CutStep => {
    const kept = closeAll(text.slice(last.start, last.start + ends[lines - 1]!), closing)
    return { ...last, put: `${kept}\n${cutMark}\n\n`, words: `${last.part.title} cut` }
  }
  const withLast = (step: CutStep): string =>
    closeAll(removeSteps(text, [...steps.slice(0, -1), step]), closing)
  const fewest = 4
  const lines = largestFitting(ends.length - fewest, (more) =>
    fitsForSure(withLast(upTo(more + fewest)), limit, measure),
  )
  if (lines < 0) return undefined
  const kept = upTo(lines + fewest)
  return { text: withLast(kept), cuts: wordsOf([...steps.slice(0, -1), kept]) }
}

/** The steps are in the order in which the parts are cut. */
const stepsOf = (parts: readonly SkillPart[]): CutStep[] => [
  ...parts.filter(({ role }) => role === 'appendix').map(removeWholePart),
  ...parts.flatMap(examplesButOne),
  ...parts
    .filter(({ role }) => role === 'examples' || role === 'other')
    .toReversed()
    .map(removeWholePart),
]

const removeWholePart = (part: SkillPart): CutStep => ({
  part,
  start: part.start,
  end: part.end,
  words: `${part.title} left out`,
})

const examplesButOne = (part: SkillPart): CutStep[] => {
  const { examples = [] } = part
  if (examples.length < 2) return []
  const words = `${part.title}: ${examples.length - 1} of ${examples.length} left out`
  return [{ part, start: examples[1]!, end: part.end, words }]
}

/** Returns one text for each part that was cut. If several steps cut the same part, the text of the last one counts. */
const wordsOf = (steps: readonly CutStep[]): string[] => [
  ...new Map(steps.map(({ part, words }) => [part, words])).values(),
]

const removeSteps = (text: string, steps: readonly CutStep[]): string => {
  let out = ''
  let copied = 0
  for (const { start, end, put = '' } of [...steps].sort((a, b) => a.start - b.start)) {
    if (start > copied) out += text.slice(copied, start)
    out += put
    copied = Math.max(copied, end)
  }
  return out + text.slice(copied)
}

/** A section of a skill. The text before the first heading belongs to no section, so it is never cut. */
interface SkillPart {
  title: string
  role: 'kept' | 'appendix' | 'examples' | 'other'
  start: number
  end: number
  /** The offset at which each example starts. */
  examples?: number[]
}

/**
 * Divides a skill into the parts that can be cut separately. Summary, core rules, references, appendix and examples
 * each include the headings below them. Every other heading starts a new part, so that as little as possible is cut.
 */
const partsOf = (text: string, closing?: FenceMarks): SkillPart[] => {
  const all = sectionsOf(text, closing)
  const parts: SkillPart[] = []
  let around: SkillPart | undefined
  for (const [i, { title, start, end, level }] of all.entries()) {
    if (around && start < around.end) continue
    const named = roleOf(title)
    const alone = named === 'other'
    const role = alone && i === 0 && isAbove(level, all) ? 'kept' : named
    const part: SkillPart = {
      title: shortenTitle(title),
      role,
      start,
      end: alone ? (all[i + 1]?.start ?? end) : end,
    }
    if (!alone) around = part
    parts.push(
      role === 'examples' ? { ...part, examples: examplesIn(text, part, sectionsBelow(all, i, end)) } : part,
    )
  }
  return parts
}

/** Leaves out headings that are inside a data fence, because they are not headings of the skill itself. */
const sectionsOf = (text: string, closing?: FenceMarks): Section[] => {
  const foreign = closing ? foreignIn(text, closing) : []
  let next = 0
  return sections(text, (start) => {
    while (next < foreign.length && foreign[next]!.end <= start) next++
    return next === foreign.length || foreign[next]!.start > start
  })
}

/**
 * Returns the data fences in a text, except a fence around the whole text. A text that is one fence is an untrusted
 * skill, which is cut section by section like any other skill.
 */
const foreignIn = (text: string, { open, close }: FenceMarks): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = []
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, found.at(-1)!.end)) {
    const end = text.indexOf(close, start)
    found.push({ start, end: end < 0 ? text.length : end + close.length })
  }
  return found.length === 1 && found[0]!.start === 0 && text.slice(found[0]!.end).trim() === '' ? [] : found
}

/** Whether the first heading is the title of the skill: its level is higher than that of all other headings. */
const isAbove = (level: number, all: readonly Section[]): boolean =>
  all.every((other, i) => i === 0 || other.level > level)

const keptTitles = ['summary', 'core rules']
const appendixTitles = ['references', 'appendix', 'appendices']
const exampleTitles = ['examples', 'example']

const roleOf = (title: string): SkillPart['role'] =>
  isNamed(title, keptTitles)
    ? 'kept'
    : isNamed(title, appendixTitles)
      ? 'appendix'
      : isNamed(title, exampleTitles)
        ? 'examples'
        : 'other'

/**
 * Whether the title starts with one of the names. Numbers and marks may come before the name, and other words may
 * follow it. Examples are `2. Core Rules`, `**Summary**` and `Appendix B`.
 */
const isNamed = (title: string, names: readonly string[]): boolean => {
  const words = title.toLowerCase().replace(/^[^a-z]+/, '')
  return names.some((name) => words.startsWith(name) && !/^[a-z]/.test(words.slice(name.length)))
}

const sectionsBelow = (all: readonly Section[], i: number, end: number): Section[] => {
  let last = i + 1
  while (last < all.length && all[last]!.start < end) last++
  return all.slice(i + 1, last)
}

/**
 * Returns where each example starts: at each heading of the highest level. If there are no headings, each code block
 * starts an example.
 */
const examplesIn = (text: string, { start, end }: SkillPart, inside: readonly Section[]): number[] => {
  const top = inside.reduce((level, section) => Math.min(level, section.level), 6)
  if (inside.length > 0) return inside.filter(({ level }) => level === top).map((section) => section.start)
  const code = readBlocks(text.slice(start, end)).fences.filter(({ inside }) => !inside)
  // Text between two code blocks belongs to the second one.
  return code.map((block, i) => start + (code[i - 1]?.end ?? block.start))
}

const shortenTitle = (title: string): string => (title.length > 60 ? `${title.slice(0, 59)}…` : title)
