/** The start tag of an element. Attribute values are not decoded. */
export interface StartTag {
  name: string
  attributes: ReadonlyMap<string, string>
}

export interface Visitor {
  open(element: StartTag): void
  close(name: string): void
}

const maxDepth = 100
const maxAttributes = 100

/**
 * Visits the elements of an XML text in one pass, and skips the text between them. Returns the problem if the XML is
 * invalid. Expands no references and refuses document types, so that a small text cannot become huge.
 */
export const readXml = (text: string, visitor: Visitor): string | undefined => {
  const open: string[] = []
  let rooted = false
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    if (open.length === 0 && text.slice(at, next < 0 ? undefined : next).trim() !== '')
      return 'has text outside its root element'
    if (next < 0) break
    const aside = skipNonElement(text, next)
    if (aside !== undefined) {
      if (typeof aside === 'string') return aside
      at = aside
    } else if (text.charCodeAt(next + 1) === slash) {
      const end = text.indexOf('>', next)
      if (end < 0) return 'is cut short'
      const name = text.slice(next + 2, end).trimEnd()
      if (open.pop() !== name) return `closes an element that is not open: ${name.slice(0, 40)}`
      visitor.close(name)
      at = end + 1
    } else {
      if (open.length === 0 && rooted) return 'has more than one root element'
      rooted = true
      const tag = readTag(text, next + 1)
      if (typeof tag === 'string') return tag
      visitor.open(tag)
      if (tag.empty) visitor.close(tag.name)
      else if (open.push(tag.name) > maxDepth) return `is nested deeper than ${maxDepth}`
      at = tag.end
    }
  }
  if (!rooted) return 'has no element'
  return open.length > 0 ? 'is cut short' : undefined
}

/**
 * Returns the end of a comment, CDATA section or instruction. If this text is not allowed or is cut short, returns a
 * message. For a normal tag, returns undefined.
 */
const skipNonElement = (text: string, at: number): number | string | undefined => {
  for (const [start, stop] of nonElements) {
    if (!text.startsWith(start, at)) continue
    const end = text.indexOf(stop, at + start.length)
    return end < 0 ? 'is cut short' : end + stop.length
  }
  return text.startsWith('<!', at) ? 'has a document type or an entity, which is not read' : undefined
}

const nonElements = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

interface Tag extends StartTag {
  empty: boolean
  /** The index after the tag. */
  end: number
}

const readTag = (text: string, start: number): Tag | string => {
  const attributes = new Map<string, string>()
  let at = nameEnd(text, start)
  const name = text.slice(start, at)
  if (name === '') return 'has a tag without a name'
  for (;;) {
    at = skipBlanks(text, at)
    if (at >= text.length) return 'is cut short'
    if (text.charCodeAt(at) === greater) return { name, attributes, empty: false, end: at + 1 }
    if (text.charCodeAt(at) === slash)
      return text.charCodeAt(at + 1) === greater
        ? { name, attributes, empty: true, end: at + 2 }
        : 'has a tag that does not end'
    const end = nameEnd(text, at)
    const key = text.slice(at, end)
    const equals = skipBlanks(text, end)
    const from = skipBlanks(text, equals + 1)
    const quote = text[from]
    if (key === '' || text[equals] !== '=' || (quote !== '"' && quote !== "'"))
      return `has an attribute that cannot be read, in ${name.slice(0, 40)}`
    const to = text.indexOf(quote, from + 1)
    if (to < 0) return 'is cut short'
    if (attributes.has(key)) return `gives the attribute ${key.slice(0, 40)} twice`
    attributes.set(key, text.slice(from + 1, to))
    if (attributes.size > maxAttributes) return `has more than ${maxAttributes} attributes in one tag`
    at = to + 1
  }
}

const slash = 47
const greater = 62

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

const skipBlanks = (text: string, start: number): number => {
  let at = start
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

const nameEnd = (text: string, start: number): number => {
  let at = start
  while (at < text.length && !isBlank(text.charCodeAt(at)) && !'=/><"\''.includes(text[at]!)) at++
  return at
}
