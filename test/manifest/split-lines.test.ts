import { expect, test } from 'vitest'
import { type ManifestPiece, type Remainder, splitLines } from '../../src/manifest/split-lines.ts'
import { cpuTime } from '../support/cpu-time.ts'
import fc, { runs } from '../support/properties.ts'
import { joined, type Segment, segment } from './damage.ts'

/**
 * Splits bytes into pieces, but reads them in several parts, as CLEO reads a manifest to which agents append in
 * between.
 */
const readInParts = (bytes: Uint8Array, cuts: readonly number[], behind: Remainder): ManifestPiece[] => {
  const found: ManifestPiece[] = []
  let start = 0
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    const { pieces, consumed } = splitLines(
      bytes.subarray(start, cut),
      cut < bytes.length ? behind : 'nothing yet',
    )
    for (const piece of pieces) found.push({ ...piece, start: piece.start + start, end: piece.end + start })
    start += consumed
  }
  return found
}

const valuesOf = (pieces: readonly ManifestPiece[]) =>
  pieces.flatMap((piece) => ('value' in piece ? [piece.value] : []))

/** Returns the valid entries that were not found. */
const missing = (segments: readonly Segment[], pieces: readonly ManifestPiece[]): unknown[] => {
  const found = new Set(valuesOf(pieces).map((value) => JSON.stringify(value)))
  return segments.flatMap(({ kind, good }) =>
    good.filter((value) => !found.has(JSON.stringify(value))).map((value) => ({ kind, value })),
  )
}

const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** Returns the ranges of bytes that are in no piece, or in two. */
const unaccounted = (bytes: Uint8Array, pieces: readonly ManifestPiece[], consumed: number): string[] => {
  const wrong: string[] = []
  let at = 0
  for (const { start, end } of [...pieces, { start: consumed, end: bytes.length }]) {
    if (start < at || !bytes.subarray(at, start).every((byte) => blank.has(byte)))
      wrong.push(`${at} to ${start}`)
    at = end
  }
  return wrong
}

const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })

test('[MANI-2] every good entry is found among every kind of damage, in whatever parts it is read, and no byte is lost', () =>
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 4 }),
      parts,
      fc.constantFrom<Remainder>('more', 'nothing yet'),
      (segments, parts, behind) => {
        const bytes = joined(...segments.map((each) => each.bytes), new TextEncoder().encode('.\n'))
        const { pieces, consumed } = splitLines(bytes, 'nothing yet')
        const cuts = parts.map((part) => Math.floor(part * bytes.length))
        expect({
          missing: missing(segments, pieces),
          inParts: missing(segments, readInParts(bytes, cuts, behind)),
          unaccounted: unaccounted(bytes, pieces, consumed),
        }).toEqual({ missing: [], inParts: [], unaccounted: [] })
      },
    ),
    { numRuns: runs(10_000) },
  ))

test.each([
  ['open braces', '{'],
  ['objects in objects', '{"a":'],
  ['braces in strings', '{"a":"{'],
  ['strings without an end', '{"'],
  ['quotes', '"{'],
  ['escapes', '{"a":"\\'],
  ['lists', '{"a":['],
  ['objects and lines', '{"a":\n'],
  ['entries without an end', '{"id":"T001-x","status":"complete","a":'],
  ['short lines', '.\n'],
  ['lines that begin something', '{"a":1,\n'],
  ['whole ones', '{"id":"T001-x","status":"complete"}'],
])('[MANI-2] a megabyte of %s is read in bounded time', (_, text) => {
  const bytes = new TextEncoder().encode(`${text.repeat(Math.ceil((1 << 20) / text.length))}\n`)
  const took = cpuTime(() => {
    const { pieces, consumed } = splitLines(bytes, 'nothing')
    expect(unaccounted(bytes, pieces, consumed)).toEqual([])
  })
  expect(took).toBeLessThan(8000)
})

test.each([
  ['braces', '{'],
  ['braces on lines', '{\n'],
  ['strings that begin', '{"\n'],
  ['braces and quotes', '{"{"'],
  ['empty objects', '{}'],
])('[MANI-2] eight megabytes of %s are read quickly, and the entry behind them is found', (_, text) => {
  const entry = { id: 'T001-x', status: 'complete' }
  const flood = text.repeat(Math.ceil((8 << 20) / text.length))
  const bytes = new TextEncoder().encode(`${flood}\n${JSON.stringify(entry)}\n`)
  let read = splitLines(new Uint8Array(), 'nothing')
  const took = cpuTime(() => {
    read = splitLines(bytes, 'nothing')
  })
  const { pieces, consumed } = read
  expect(unaccounted(bytes, pieces, consumed)).toEqual([])
  expect(pieces.at(-1)).toMatchObject({ value: entry })
  expect(pieces.length).toBeLessThan(100_000)
  // Scanning from each possible start would take eight times as long.
  expect(took).toBeLessThan(4000)
})

test('[MANI-2] an object without an end is given up, and the entries after it are found', () => {
  const entry = { id: 'T001-x', status: 'complete', title: 'x'.repeat(500) }
  const text = `{"a":[\n${'1,\n'.repeat(200_000)}${`${JSON.stringify(entry)}\n`.repeat(200)}`
  const bytes = new TextEncoder().encode(text)
  for (const part of [1000, 262_144, 400_000, 600_100]) {
    const cuts = Array.from({ length: Math.floor(bytes.length / part) }, (_, i) => (i + 1) * part)
    const found = valuesOf(readInParts(bytes, part > 1000 ? cuts : [600_500, 601_000, 650_000], 'more'))
    expect(found).toHaveLength(200)
  }
})
