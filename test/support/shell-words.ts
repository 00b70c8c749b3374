/** Splits a command line as a shell would, with blanks, quotes, backslashes and a `#` comment. Expands nothing. */
export const shellWords = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (quote === "'" || quote === '"') {
      if (char === quote) quote = ''
      else if (quote === '"' && char === '\\' && '"\\$`'.includes(line[i + 1] ?? ' ')) word += line[++i]!
      else word += char
    } else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (char === '\\') word = (word ?? '') + (line[++i] ?? '')
    else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === '#' && word === undefined) break
    else if (/[|;&`$]/.test(char)) throw new Error(`a transcript has no "${char}": ${line}`)
    else word = (word ?? '') + char
  }
  if (quote) throw new Error(`no end to the quote in ${line}`)
  if (word !== undefined) words.push(word)
  return words
}
