/**
 * The ASCII characters that replace CLEO's marks and lines on a terminal without UTF-8. If a title or another text of a
 * user contains one of these marks, it is replaced too.
 */
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
