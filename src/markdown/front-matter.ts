export interface SplitFile {
  ok: true
  /** The lines between the two `---` lines. */
  frontMatter: string
  body: string
  bodyLine: number
}

export interface InvalidFrontMatter {
  ok: false
  line: number
  why: string
}

/** Only a `---` on the first line opens front matter. */
export const splitFrontMatter = (text: string): SplitFile | InvalidFrontMatter => {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const first = lineAt(text, start)
  if (!first.text.startsWith('---')) return { ok: false, line: 1, why: 'has no front matter' }
  const language = first.text.slice(3).trim()
  // Refuse `---js`, because some tools execute such front matter.
  if (language !== '')
    return { ok: false, line: 1, why: `opens its front matter with "---${language.slice(0, 20)}", not "---"` }
  let at = first.next
  for (let line = 2; at < text.length; line++) {
    const { text: content, next } = lineAt(text, at)
    if (content.trimEnd() === '---')
      return { ok: true, frontMatter: text.slice(first.next, at), body: text.slice(next), bodyLine: line + 1 }
    at = next
  }
  return { ok: false, line: 1, why: 'has front matter without a closing "---" line' }
}

/** Reverses `splitFrontMatter`, but adds no byte order mark and ends the `---` lines with `\n`. */
export const joinFrontMatter = ({ frontMatter, body }: Pick<SplitFile, 'frontMatter' | 'body'>): string =>
  `---\n${frontMatter.endsWith('\n') || frontMatter === '' ? frontMatter : `${frontMatter}\n`}---\n${body}`

const lineAt = (text: string, start: number): { text: string; next: number } => {
  const end = text.indexOf('\n', start)
  if (end < 0) return { text: text.slice(start), next: text.length }
  return { text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), next: end + 1 }
}
