import { readPiece } from '../host/line-file.ts'
import { sha256 } from '../host/sha256.ts'
import type { WrittenFields } from './parse-object.ts'
import { type ManifestPiece, type Remainder, splitLines } from './split-lines.ts'

const portionBytes = 256 * 1024
/** If a line is longer than this many bytes, the bytes read so far are judged without the rest of the line. */
const longestLine = 16 * portionBytes

/** A JSON object in a manifest, or bytes that are not a JSON object. */
export interface ManifestLine {
  /** The offset in the file at which the line begins. */
  byte: number
  raw: Uint8Array
  sha256: string
  fields?: WrittenFields
  /** Why the line is not an object; set if `fields` is missing. */
  reason?: string
}

/** The lines from one part of a manifest. */
export interface Portion {
  lines: ManifestLine[]
  /** The bytes that were split into these lines. They need not be read again. */
  bytes: Uint8Array
  /** The offset in the file at which these bytes end. */
  end: number
  isLast: boolean
  /** Size and modification time of the file before the portion was read. If they differ later, the file has changed. */
  stamp: string
}

/** If a portion ends in the middle of a line, that line is completed with the next portion. */
export function* manifestLines(path: string, from: number): Generator<Portion> {
  let start = from
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array()
  for (;;) {
    const read = readPiece(path, start + bytes.length, portionBytes)
    bytes = concat(bytes, read.bytes)
    const isLast = start + bytes.length >= read.size || read.bytes.length === 0
    const behind: Remainder = bytes.length >= longestLine ? 'nothing' : isLast ? 'nothing yet' : 'more'
    const { pieces, consumed } = splitLines(bytes, behind)
    const end = start + consumed
    if (consumed > 0 || isLast) {
      const lines = pieces.map((piece) => toLine(piece, bytes, start))
      yield { lines, bytes: bytes.subarray(0, consumed), end, isLast, stamp: read.stamp }
    }
    if (isLast) return
    start = end
    bytes = bytes.slice(consumed)
  }
}

const toLine = (piece: ManifestPiece, bytes: Uint8Array, offset: number): ManifestLine => {
  const raw = bytes.subarray(piece.start, piece.end)
  const content = 'value' in piece ? { fields: piece.value } : { reason: piece.reason }
  return { byte: offset + piece.start, raw, sha256: sha256(raw), ...content }
}

export const concat = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
