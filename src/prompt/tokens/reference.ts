import { isDigit, isLetter } from './characters.ts'

/** Where the path or pattern behind an `@` ends; undefined where what stands there is none. */
export const referenceEnd = (text: string, from: number): number | undefined => {
  let to = from
  while (isOfPath(text.charCodeAt(to))) to++
  // A call: `@app.route("/")` decorates.
  if (text[to] === '(') return undefined
  // Behind an extension a dot ends the sentence and a star the emphasis; elsewhere a star is part of the pattern.
  const named = endWithout('.*', text, from, to)
  if (hasExtension(text, from, named)) return named
  const end = endWithout('.', text, from, to)
  return text.slice(from, end).includes('*') ? end : undefined
}

/** What names of files are made of. Spaces and quotes end a path; so does punctuation of any script. */
const isOfPath = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  (code < 128 ? '_-./*+~'.includes(String.fromCharCode(code)) : isWord(code))

const isWord = (code: number): boolean =>
  code >= 0xc0 && code < 0xfe00 && !(code >= 0x2000 && code < 0x2070) && !(code >= 0x3000 && code < 0x3040)

const endWithout = (chars: string, text: string, from: number, to: number): number => {
  let end = to
  while (end > from && chars.includes(text[end - 1]!)) end--
  return end
}

const longestExtension = 10

/** A dot, a letter, and letters or digits up to the end. */
const hasExtension = (text: string, from: number, end: number): boolean => {
  for (let at = end - 1; at > from && end - at <= longestExtension; at--) {
    const code = text.charCodeAt(at)
    if (isLetter(code) && text[at - 1] === '.') return true
    if (!isLetter(code) && !isDigit(code)) return false
  }
  return false
}
