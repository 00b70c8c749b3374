const openers = /[([{,;=:!&|?+\-*%<>~^\n]/

/** A source with its comments, strings and regular expressions blanked out. Line numbers stay the same. */
export const codeOf = (source: string): string => {
  let code = ''
  const braces: number[] = []
  let i = 0
  const skip = (end: number) => {
    code += source.slice(i, end).replaceAll(/[^\n]/g, ' ')
    i = end
  }
  const template = (start: number): void => {
    for (let at = start; at < source.length; at++) {
      if (source[at] === '\\') at++
      else if (source[at] === '`') return skip(at + 1)
      else if (source.startsWith('${', at)) {
        braces.push(0)
        return skip(at + 2)
      }
    }
    skip(source.length)
  }
  while (i < source.length) {
    const char = source[i]!
    if (source.startsWith('//', i)) skip(endOf(source, '\n', i))
    else if (source.startsWith('/*', i)) skip(endOf(source, '*/', i) + 2)
    else if (char === "'" || char === '"') skip(closing(source, i, char) + 1)
    else if (char === '`') template(i + 1)
    else if (char === '/' && openers.test(code.trimEnd().at(-1) ?? '\n')) skip(pattern(source, i) + 1)
    else if (char === '}' && braces.at(-1) === 0) {
      braces.pop()
      template(i + 1)
    } else {
      if (braces.length > 0 && char === '{') braces[braces.length - 1]!++
      if (braces.length > 0 && char === '}') braces[braces.length - 1]!--
      code += char
      i++
    }
  }
  return code
}

const endOf = (source: string, mark: string, from: number): number => {
  const end = source.indexOf(mark, from)
  return end < 0 ? source.length : end
}

const closing = (source: string, from: number, quote: string): number => {
  let at = from + 1
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
  return at
}

const pattern = (source: string, from: number): number => {
  let inClass = false
  let at = from + 1
  for (; at < source.length && (inClass || source[at] !== '/'); at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') inClass = true
    else if (source[at] === ']') inClass = false
  }
  return at
}
