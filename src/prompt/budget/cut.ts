import { readBlocks } from '../../markdown/blocks.ts'
import type { Measure } from './measure.ts'

/** The marks before and after a text that CLEO did not write. If a cut removes the closing mark, `closeAll` adds it. */
export interface FenceMarks {
  open: string
  close: string
}

export interface CutText {
  text: string
  /** Descriptions of what was cut, for people. */
  cuts: string[]
}

export const cutMark = '... [truncated for context budget]'

/**
 * Keeps as many lines as are sure to fit into `limit` tokens. If the first line that does not fit is very long, keeps
 * its beginning too. Then adds `cutMark`. Returns an empty text if not even the mark fits.
 */
export const cutLines = (text: string, limit: number, measure: Measure, closing?: FenceMarks): CutText => {
  if (fitsForSure(text, limit, measure)) return { text, cuts: [] }
  const ends = lineEnds(text)
  const upTo = (end: number): string =>
    end === 0 ? cutMark : `${closeAll(text.slice(0, end), closing)}\n${cutMark}`
  const fits = (end: number): boolean => fitsForSure(upTo(end), limit, measure)
  const lines = largestFitting(ends.length - 1, (count) => fits(ends[count - 1] ?? 0))
  const left = ends.length - Math.max(0, lines)
  const cuts = [`the last ${left} lines left out`]
  if (lines < 0) return { text: '', cuts }
  const end = ends[lines - 1] ?? 0
  const next =
    ends[lines]! - end < longLine ? 0 : largestFitting(ends[lines]! - end, (more) => fits(end + more))
  return { text: upTo(lastBlank(text, end, end + next)), cuts }
}

/** A line with at least this many characters may be cut in the middle, because some skills consist of one line. */
const longLine = 400

/**
 * Returns the position of the last space or line break between `from` and `end`, so that no word is cut. Returns `from`
 * if there is none.
 */
const lastBlank = (text: string, from: number, end: number): number => {
  for (let at = end; at > from; at--) if (text[at] === ' ' || text[at] === '\n') return at
  return from
}

/**
 * Whether a text is sure to fit. If the estimate is too close to the limit, `measure.fits` answers `unsure`, and this
 * function returns false. So the result of a cut is sure to fit, and needs no exact count.
 */
export const fitsForSure = (text: string, limit: number, measure: Measure): boolean =>
  measure.fits(text, limit) === 'yes'

/** Searches the numbers from 0 to `largest` by binary search. Returns the highest number that fits; -1 if none fits. */
export const largestFitting = (largest: number, fits: (count: number) => boolean): number => {
  let good = -1
  let bad = largest + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (fits(middle)) good = middle
    else bad = middle
  }
  return good
}

/** Closes the code fence and the data fence if a cut left them open. Closes the inner fence first. */
export const closeAll = (text: string, closing?: FenceMarks): string => {
  const { open: code } = readBlocks(text)
  const data = closing ? openData(text, closing) : -1
  const ends = [
    ...(code ? [{ start: code.start, close: code.closing }] : []),
    ...(closing && data >= 0 ? [{ start: data, close: closing.close }] : []),
  ].sort((a, b) => b.start - a.start)
  return [
    text.endsWith('\n') && ends.length > 0 ? text.slice(0, -1) : text,
    ...ends.map(({ close }) => close),
  ].join('\n')
}

const openData = (text: string, { open, close }: FenceMarks): number => {
  const unclosed = text.split(open).length > text.split(close).length
  return unclosed ? text.lastIndexOf(open) : -1
}

/** Returns the offset of the end of each line, before its line break. An empty last line is not counted. */
export const lineEnds = (text: string): number[] => {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  if (!text.endsWith('\n')) ends.push(text.length)
  return ends
}
