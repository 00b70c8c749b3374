/** CLEO uses the style of a file for the text that it adds to the file. */
export interface TextStyle {
  eol: '\n' | '\r\n'
  /** One step of indentation. */
  unit: string
}

export const styleOf = (text: string): TextStyle => {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: indent.startsWith('\t') ? '\t' : indent }
}

export const withEol = (text: string, { eol }: Pick<TextStyle, 'eol'>): string =>
  eol === '\n' ? text : text.replaceAll('\n', eol)

const mark = '\uFEFF'

/** Runs an edit on a text without its byte order mark, and puts the mark back afterwards. */
export const keepingMark = (text: string, edit: (text: string) => string): string =>
  text.startsWith(mark) ? mark + edit(text.slice(1)) : edit(text)

export const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)
