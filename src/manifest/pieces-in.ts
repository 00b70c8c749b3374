import { readPiece } from '../host/line-file.ts'
import { type Behind, type Piece, piecesOf } from './pieces.ts'

const portion = 256 * 1024
/** A line as long as this is not waited for. */
const longest = 16 * portion

export interface Portion {
  /** What was found in it, by place in its bytes. */
  pieces: Piece[]
  bytes: Uint8Array
  /** Where it begins in the file. */
  start: number
  /** Where the next one begins: what is before it need not be looked at again. */
  end: number
  isLast: boolean
  /** Of the file, as it was before this was read. */
  stamp: string
}

/** A file of entries from some place on, portion by portion; of a line that goes on in the next, nothing yet. */
export function* piecesIn(path: string, from: number): Generator<Portion> {
  let start = from
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array()
  for (;;) {
    const read = readPiece(path, start + bytes.length, portion)
    bytes = joined(bytes, read.bytes)
    const isLast = start + bytes.length >= read.size || read.bytes.length === 0
    const behind: Behind = bytes.length >= longest ? 'nothing' : isLast ? 'nothing yet' : 'more'
    const { pieces, consumed } = piecesOf(bytes, behind)
    const end = start + consumed
    if (consumed > 0 || isLast) yield { pieces, bytes, start, end, isLast, stamp: read.stamp }
    if (isLast) return
    start = end
    bytes = bytes.slice(consumed)
  }
}

export const joined = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
