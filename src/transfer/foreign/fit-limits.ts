import { limits } from '../../kernel/task.ts'

/** `whole` is empty if the text was not cut. */
export const shortened = (text: string, most: number): [short: string, whole: string] => {
  const plain = text.trim()
  return plain.length <= most
    ? [plain, '']
    : [
        `${plain
          .slice(0, most - 1)
          .toWellFormed()
          .trimEnd()}…`,
        plain,
      ]
}

/** Divides a text into pieces of at most `most` bytes, at line ends where possible. Blank pieces are left out. */
export const piecesOf = (text: string, most: number): string[] => {
  const pieces: string[] = []
  let piece = ''
  for (const line of text.split(/(?<=\n)/)) {
    for (const part of partsOf(line, most)) {
      if (piece !== '' && Buffer.byteLength(piece + part) > most) {
        pieces.push(piece)
        piece = ''
      }
      piece += part
    }
  }
  return [...pieces, piece].filter((each) => each.trim() !== '')
}

/**
 * Divides a line of more than `most` bytes into parts of `most / 4` characters. A character has at most four bytes, so
 * each part fits.
 */
const partsOf = (line: string, most: number): string[] => {
  if (Buffer.byteLength(line) <= most) return [line]
  const characters = [...line]
  const size = Math.floor(most / 4)
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(''),
  )
}

/** `others` are the given labels that were changed or left out. */
export const labelsOf = (given: readonly string[]): [labels: string[], others: string[]] => {
  const plain = (label: string) => label.replaceAll(/[\s,]+/g, '-').slice(0, limits.label)
  const labels = [...new Set(given.map(plain))].filter((label) => label !== '').slice(0, limits.labels)
  return [labels, given.filter((label) => !labels.includes(label))]
}
