import { readBlocks } from '../../markdown/blocks.ts'
import { divide } from '../../markdown/front-matter.ts'
import { type Section, sections } from '../../markdown/headings.ts'
import type { Closing } from './cut.ts'

/** A stretch of a skill below one heading. What is before the first is no part: it stays. */
export interface Part {
  title: string
  role: 'kept' | 'behind' | 'examples' | 'other'
  start: number
  end: number
  /** Where each example starts. */
  examples?: number[]
}

/**
 * Divides a skill by what may be cut. References, appendix and examples are parts with all that is below them; any
 * other heading makes a part of its own, so that the least can be taken away.
 */
export const partsOf = (text: string, closing?: Closing): Part[] => {
  const all = sectionsOf(text, closing)
  const parts: Part[] = []
  let around: Part | undefined
  for (const [i, { title, start, end, level }] of all.entries()) {
    if (around && start < around.end) continue
    const named = roleOf(title)
    const alone = named === 'other'
    const role = alone && i === 0 && isAbove(level, all) ? 'kept' : named
    const part: Part = { title: shown(title), role, start, end: alone ? (all[i + 1]?.start ?? end) : end }
    if (!alone) around = part
    parts.push(role === 'examples' ? { ...part, examples: examplesIn(text, part, below(all, i, end)) } : part)
  }
  return parts
}

/** Headings in the front matter or in foreign text within the skill are none of its own. */
const sectionsOf = (text: string, closing?: Closing): Section[] => {
  const divided = divide(text)
  const from = divided.ok ? text.length - divided.body.length : 0
  const foreign = closing ? foreignIn(text, closing) : []
  let next = 0
  const isOwn = (start: number): boolean => {
    while (next < foreign.length && foreign[next]!.end <= start + from) next++
    return next === foreign.length || foreign[next]!.start > start + from
  }
  const own = sections(text.slice(from), isOwn)
  return own.map((section) => ({ ...section, start: section.start + from, end: section.end + from }))
}

/** A skill that is foreign as a whole is divided all the same. */
const foreignIn = (text: string, { open, close }: Closing): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = []
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, found.at(-1)!.end)) {
    const end = text.indexOf(close, start)
    found.push({ start, end: end < 0 ? text.length : end + close.length })
  }
  return found.length === 1 && found[0]!.start === 0 && text.slice(found[0]!.end).trim() === '' ? [] : found
}

/** A first heading above all others is the name of the whole. */
const isAbove = (level: number, all: readonly Section[]): boolean =>
  all.every((other, i) => i === 0 || other.level > level)

const kept = ['summary', 'core rules']
const behind = ['references', 'appendix', 'appendices']
const examples = ['examples', 'example']

const roleOf = (title: string): Part['role'] =>
  isNamed(title, kept)
    ? 'kept'
    : isNamed(title, behind)
      ? 'behind'
      : isNamed(title, examples)
        ? 'examples'
        : 'other'

/** Whatever number or mark is around it, and whatever follows: `2. Core Rules`, `**Summary**`, `Appendix B`. */
const isNamed = (title: string, names: readonly string[]): boolean => {
  const words = title.toLowerCase().replace(/^[^a-z]+/, '')
  return names.some((name) => words.startsWith(name) && !/^[a-z]/.test(words.slice(name.length)))
}

const below = (all: readonly Section[], i: number, end: number): Section[] => {
  let last = i + 1
  while (last < all.length && all[last]!.start < end) last++
  return all.slice(i + 1, last)
}

/** Examples have headings of their own, or else each is a block of code. */
const examplesIn = (text: string, { start, end }: Part, inside: readonly Section[]): number[] => {
  const top = inside.reduce((level, section) => Math.min(level, section.level), 6)
  if (inside.length > 0) return inside.filter(({ level }) => level === top).map((section) => section.start)
  const code = readBlocks(text.slice(start, end)).fences.filter(({ inside }) => !inside)
  // What is said between two blocks belongs to the second.
  return code.map((block, i) => start + (code[i - 1]?.end ?? block.start))
}

/** As much of a title as a list of cuts has room for. */
const shown = (title: string): string => (title.length > 60 ? `${title.slice(0, 59)}…` : title)
