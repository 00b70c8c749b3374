import { normalised } from '../kernel/text.ts'
import { embedded, headingDepth } from '../markdown/headings.ts'
import { readable } from '../print/printable.ts'

/**
 * Puts foreign text between two marks. Foreign text is text that CLEO did not write. Its author cannot guess the marks,
 * and so cannot close the fence. The function lowers the headings in the text and closes its code blocks, so that the
 * text cannot change the outline of the prompt.
 */
export type Fence = (text: string, from: string) => string

export const fenceWith =
  (nonce: string): Fence =>
  (text, from) => {
    const { open, close } = marksOf(nonce)
    const content = readable(normalised(text)).trimEnd().replace(/^\n+/, '')
    const start = `${open} from="${plain(from)}">`
    if (!content.includes('\n')) return `${start}${content}${close}`
    if (!hasMarkdown(content)) return `${start}\n${content}\n${close}`
    // The empty lines separate the marks from the text, so that Markdown reads the text as it would without the
    // marks.
    return `${start}\n\n${embedded(content, headingDepth).trimEnd()}\n\n${close}`
  }

/** Whether a text has lines that could start or end a Markdown block: empty lines, headings, rules, code or HTML. */
const hasMarkdown = (content: string): boolean => /^[ \t]*(?:$|[#<`~]|[-=*_ \t]+$)/m.test(content)

export const marksOf = (nonce: string) => ({ open: `<data-${nonce}`, close: `</data-${nonce}>` })

/** Replaces special characters in the label of the opening mark, because the fence does not enclose the label. */
const plain = (from: string): string => {
  let out = ''
  for (const char of from.slice(0, 120)) out += isPlain(char) ? char : '_'
  return out
}

const isPlain = (char: string): boolean =>
  (char >= 'a' && char <= 'z') ||
  (char >= 'A' && char <= 'Z') ||
  (char >= '0' && char <= '9') ||
  '._/-'.includes(char)

/** `derive` returns a different nonce for each number. */
export const chooseNonce = (texts: readonly string[], derive: (n: number) => string): string => {
  for (let n = 0; ; n++) {
    const nonce = derive(n)
    if (!texts.some((text) => text.includes(nonce))) return nonce
  }
}
