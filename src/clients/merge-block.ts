import type { MergeResult, Written } from './merged.ts'
import { styleOf, withEol } from './text-style.ts'

/** The two lines that enclose CLEO's part of a file. */
export interface Marks {
  begin: string
  end: string
}

export const markdownMarks: Marks = {
  begin: '<!-- cleo: begin. Written by `cleo setup`; `cleo setup --undo` removes it. -->',
  end: '<!-- cleo: end -->',
}
export const tomlMarks: Marks = {
  begin: '# cleo: begin. Written by `cleo setup`; `cleo setup --undo` removes it.',
  end: '# cleo: end',
}

/** Each line keeps its line end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const find = (text: string, { begin, end }: Marks): { from: number; to: number } | 'open' | undefined => {
  const lines = linesOf(text)
  const lineAt = (mark: string, after = -1) => lines.findIndex((line, i) => i > after && line.trim() === mark)
  const from = lineAt(begin)
  if (from < 0) return lineAt(end) < 0 ? undefined : 'open'
  const to = lineAt(end, from)
  if (to < 0 || lineAt(begin, from) >= 0) return 'open'
  const offset = (count: number) => lines.slice(0, count).join('').length
  return { from: offset(from), to: offset(to + 1) }
}

export const hasBlock = (text: string, marks: Marks): boolean => typeof find(text, marks) === 'object'

/** Replaces the lines between the marks of a file. If the file has no marks, appends the marks with the lines. */
export const mergeBlock = (
  lines: string,
  current: string | undefined,
  marks: Marks,
  kind: 'block' | 'toml',
  recorded: readonly Written[],
): MergeResult => {
  const style = styleOf(current ?? '')
  const block = withEol(`${marks.begin}\n${lines.trim()}\n${marks.end}`, style)
  const written: Written[] = [{ kind }]
  if (current === undefined || current.trim() === '')
    return { ok: true, text: `${current ?? ''}${block}${style.eol}`, written, kept: [] }
  const found = find(current, marks)
  if (found === 'open')
    return { ok: false, why: `has one of the lines "${marks.begin}" and "${marks.end}" without the other` }
  if (found) {
    const old = current.slice(found.from, found.to)
    const text =
      current.slice(0, found.from) + block + (/\r?\n$/.exec(old)?.[0] ?? '') + current.slice(found.to)
    const before = recorded.filter((each) => each.kind === kind)
    return { ok: true, text, written: before.length > 0 || text === current ? before : written, kept: [] }
  }
  if (current.endsWith('\n'))
    return { ok: true, text: `${current}${style.eol}${block}${style.eol}`, written, kept: [] }
  const text = `${current}${style.eol}${style.eol}${block}${style.eol}`
  return { ok: true, text, written: [{ kind, ended: true }], kept: [] }
}

/** Removes the marks, the lines between them and the blank line before them. */
export const removeBlock = (
  current: string,
  marks: Marks,
  ended?: true,
): { text: string; kept: string[] } => {
  const found = find(current, marks)
  if (found === 'open') return { text: current, kept: [`the lines around "${marks.begin}"`] }
  if (!found) return { text: current, kept: [] }
  const before = current.slice(0, found.from).replace(/(\r?\n)\r?\n$/, '$1')
  const after = current.slice(found.to)
  return { text: (ended && after === '' ? before.replace(/\r?\n$/, '') : before) + after, kept: [] }
}
