/** Program and arguments, without a shell: quotes keep spaces, and that is all. No words where a quote is left open. */
export const commandWords = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (const char of line) {
    if (char === quote) quote = ''
    else if (quote) word += char
    else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return quote ? [] : words
}
