/**
 * Indents the lines that continue a quoted value in front matter, because CLEO's parser refuses them at the left
 * margin. Many public skills have such lines, and PyYAML accepts them. YAML ignores the indentation, so the value stays
 * the same. `line` is the number of the first line that was indented, counted from 1. Returns undefined if a quote is
 * never closed, or if no line had to be indented.
 */
export const indentContinuations = (frontMatter: string): { text: string; line: number } | undefined => {
  let open: { quote: string; indent: string } | undefined
  let line = 0
  const lines = frontMatter.split('\n').map((text, i) => {
    if (!open) {
      const [start = '', indent = '', quote = ''] = /^([ ]*)(?:- +)?[\w.-]+:[ \t]+(["'])/.exec(text) ?? []
      if (quote !== '' && closedAt(text, start.length, quote) < 0) open = { quote, indent }
      return text
    }
    const { quote, indent } = open
    if (closedAt(text, 0, quote) >= 0) open = undefined
    if (text.trim() === '' || text.startsWith(`${indent} `)) return text
    line ||= i + 1
    return `${indent}  ${text}`
  })
  return open || line === 0 ? undefined : { text: lines.join('\n'), line }
}

/** Returns -1 if the quote is not closed. */
const closedAt = (text: string, from: number, quote: string): number => {
  for (let at = from; at < text.length; at++) {
    const isEscape = quote === '"' ? text[at] === '\\' : text[at] === "'" && text[at + 1] === "'"
    if (isEscape) at++
    else if (text[at] === quote) return at
  }
  return -1
}
