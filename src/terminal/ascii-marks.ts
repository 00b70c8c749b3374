/**
 * The ASCII characters that replace CLEO's marks and lines on a terminal without UTF-8. The marks are also replaced
 * where a title or another text of a user contains them.
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
