/** How deep a JSON text is nested, and how many items its outermost array has. */
export interface JsonExtent {
  depth: number
  items: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Measures a JSON text in one pass, without parsing it. Stops at the first limit that the text passes, so that a text
 * of many levels or items costs neither memory nor time.
 */
export const jsonExtent = (text: string, most: JsonExtent): JsonExtent => {
  let depth = 0
  let deepest = 0
  let items = 1
  for (let at = 0; at < text.length && deepest <= most.depth && items <= most.items; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBracket || code === openBrace) {
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && depth === 1) items++
  }
  return { depth: deepest, items }
}

/** Returns the position of the quote that ends a string; the end of the text if the quote is missing. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
