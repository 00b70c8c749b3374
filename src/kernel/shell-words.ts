export type ShellWords = { ok: true; words: string[] } | NotSplit
interface NotSplit {
  ok: false
  why: string
  needsShell?: true
}

const blanks = ' \t'
const operators = '|&;<>()$`\n\r'
const patterns = '*?['

/**
 * Splits a command into words as a shell would, by spaces, quotes and backslashes. CLEO starts programs without a
 * shell. So pipes, variables, file patterns and anything else that needs a shell are errors.
 */
export const shellWords = (line: string): ShellWords => {
  const words: string[] = []
  let word: string | undefined
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (blanks.includes(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(line, i)
      if (!quoted.ok) return quoted
      word = (word ?? '') + quoted.text
      i = quoted.end
    } else if (char === '\\') {
      const next = line[++i]
      if (next === undefined || next === '\n') return wrong('ends in a backslash')
      word = (word ?? '') + next
    } else if (operators.includes(char) || patterns.includes(char)) return needsShell(char)
    else if (word === undefined && (char === '#' || char === '~')) return needsShell(char)
    else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return judged(words)
}

type Quoted = { ok: true; text: string; end: number } | NotSplit

/** `end` in the result is the position of the closing quote. */
const readQuoted = (line: string, start: number): Quoted => {
  const quote = line[start]!
  let text = ''
  for (let i = start + 1; i < line.length; i++) {
    const char = line[i]!
    if (char === quote) return { ok: true, text, end: i }
    if (quote === '"' && (char === '$' || char === '`')) return needsShell(char)
    if (quote === '"' && char === '\\' && '"\\$`'.includes(line[i + 1] ?? ' ')) text += line[++i]!
    else text += char
  }
  return wrong(`has no closing ${quote}`)
}

const judged = (words: string[]): ShellWords => {
  const [program] = words
  if (program === undefined) return wrong('is empty')
  if (program === '') return wrong('names no program')
  if (/^\w+=/.test(program)) return wrong(`starts with a variable; write env ${program} …`)
  return { ok: true, words }
}

const wrong = (why: string): NotSplit => ({ ok: false, why })

const needsShell = (char: string): NotSplit => {
  const what = char === '\n' || char === '\r' ? 'a line break' : char
  return {
    ...wrong(`contains ${what}, which needs a shell: quote it, or use ["sh", "-c", "…"]`),
    needsShell: true,
  }
}
