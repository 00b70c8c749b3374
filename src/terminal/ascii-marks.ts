/** What a terminal without UTF-8 shows for the marks and lines that CLEO draws. Text of others stays as it is. */
const ascii: Readonly<Record<string, string>> = {
  '○': 'o',
  '◐': '*',
  '■': '#',
  '✓': '+',
  '✗': 'x',
  '·': '-',
  '–': '-',
  '×': 'x',
  '→': '>',
  '←': '<',
  '↔': '=',
  '│': '|',
  '├': '|',
  '└': '`',
  '─': '-',
  '⟨': '<',
  '⟩': '>',
  '…': '~',
}

/** Replaces each mark by one character, so that columns stay aligned. */
export const asciiMarks = (text: string): string => {
  let out = ''
  for (const char of text) out += ascii[char] ?? char
  return out
}
