import { type Closing, type Cut, closeAll, cutLines, most, surely } from './cut.ts'
import type { Measure } from './measure.ts'
import { type Part, partsOf } from './parts.ts'

/**
 * Makes a skill short enough. References and appendix go first, then all examples but one, then the other sections
 * from the last on; front matter, Summary and Core Rules stay. Where even these are too long, it is cut by line.
 */
export const truncateSkill = (text: string, limit: number, measure: Measure, closing?: Closing): Cut => {
  if (surely(text, limit, measure)) return { text, cuts: [] }
  const steps = stepsOf(partsOf(text, closing))
  const after = (count: number): string => closeAll(without(text, steps.slice(0, count)), closing)
  const spared = most(steps.length, (count) => surely(after(steps.length - count), limit, measure))
  const taken = steps.length - Math.max(0, spared)
  const cuts = wordsOf(steps.slice(0, taken))
  if (spared >= 0) return { text: after(taken), cuts }
  const lines = cutLines(after(taken), limit, measure, closing)
  return { text: lines.text, cuts: [...cuts, ...lines.cuts] }
}

/** Something to leave out, and how to say so. */
interface Step {
  part: Part
  start: number
  end: number
  words: string
}

/** What may go, in the order in which it goes. */
const stepsOf = (parts: readonly Part[]): Step[] => [
  ...parts.filter(({ role }) => role === 'behind').map(whole),
  ...parts.flatMap(examplesButOne),
  ...parts
    .filter(({ role }) => role === 'examples' || role === 'other')
    .toReversed()
    .map(whole),
]

const whole = (part: Part): Step => ({
  part,
  start: part.start,
  end: part.end,
  words: `${part.title} left out`,
})

const examplesButOne = (part: Part): Step[] => {
  const { examples = [] } = part
  if (examples.length < 2) return []
  const words = `${part.title}: ${examples.length - 1} of ${examples.length} left out`
  return [{ part, start: examples[1]!, end: part.end, words }]
}

/** The last word on a part is the one that counts. */
const wordsOf = (steps: readonly Step[]): string[] => [
  ...new Map(steps.map(({ part, words }) => [part, words])).values(),
]

const without = (text: string, steps: readonly Step[]): string => {
  let out = ''
  let copied = 0
  for (const { start, end } of [...steps].sort((a, b) => a.start - b.start)) {
    if (start > copied) out += text.slice(copied, start)
    copied = Math.max(copied, end)
  }
  return out + text.slice(copied)
}
