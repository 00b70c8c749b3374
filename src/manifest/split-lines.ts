import { maxObjectBytes, newline, parseObject, skipBlank, trimEnd } from './parse-object.ts'
import { type Behind, type Piece, type ScanBudget, salvageLine } from './salvage-line.ts'

export interface Pieces {
  pieces: Piece[]
  /** Bytes that need not be read again. The rest waits until more of the file is there. */
  consumed: number
}

/**
 * Splits the bytes of a manifest into objects and the rest. Agents append without a lock, so a line may be cut off, glued to the
 * next one or interrupted by another agent's line:
 *
 * - A line that is one JSON object is that object. Almost every line is.
 * - Any other line goes to `salvageLine`, which finds whole objects within it or continuing on the lines below it; the bytes
 *   between them are left for the quarantine.
 * - A last line without a newline may still be being written: it waits, unless it is already a whole object.
 */
export const splitLines = (bytes: Uint8Array, behind: Behind): Pieces => {
  const pieces: Piece[] = []
  // Bounds the time that a manifest full of damage can cost: about eight passes over the bytes.
  const budget: ScanBudget = { left: 8 * bytes.length + maxObjectBytes }
  let at = skipBlank(bytes, 0)
  while (at < bytes.length) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found
    const value = found < 0 && behind === 'more' ? undefined : parseObject(bytes, at, end)
    if (value) {
      pieces.push({ start: at, end: trimEnd(bytes, at, end), value })
      at = skipBlank(bytes, end)
    } else if (found < 0 && behind !== 'nothing') return { pieces, consumed: at }
    else {
      const salvaged = salvageLine({ bytes, behind, budget }, at, end)
      for (const piece of salvaged.pieces) pieces.push(piece)
      if (salvaged.waits) return { pieces, consumed: salvaged.at }
      at = skipBlank(bytes, salvaged.at)
    }
  }
  return { pieces, consumed: bytes.length }
}
