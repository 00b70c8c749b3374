/** A file larger than this many bytes counts as filled in, and its text is not checked. */
export const maxUnfilled = 64 * 1024

/**
 * Returns why an output file counts as not filled in; undefined if it is filled in. Its Summary must not be empty. If
 * there is no Summary, the file must have some text. Everything else is left to `output check`, because this function
 * runs at every submit and completion and must be fast.
 */
export const whyUnfilled = (text: string): string | undefined => {
  const lines = withoutComments(text).split('\n')
  const start = lines.findIndex((line) => levelOf(line) > 0 && titleOf(line) === 'summary')
  if (start < 0) return lines.some(isText) ? undefined : 'it is empty'
  const level = levelOf(lines[start]!)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => levelOf(line) > 0 && levelOf(line) <= level)
  return rest.slice(0, end < 0 ? rest.length : end).some(isText) ? undefined : 'its Summary is empty'
}

const isText = (line: string): boolean => line.trim() !== '' && levelOf(line) === 0

const levelOf = (line: string): number => {
  let level = 0
  while (line[level] === '#') level++
  return level <= 6 && (line[level] ?? ' ').trim() === '' ? level : 0
}

const titleOf = (line: string): string => plainTitle(line.slice(levelOf(line)))

export const plainTitle = (title: string): string => {
  let start = 0
  while (start < title.length && '0123456789.§) \t'.includes(title[start]!)) start++
  return title.slice(start).trim().toLowerCase()
}

export const withoutComments = (text: string): string => {
  const [first = '', ...more] = text.split('<!--')
  return first + more.map(afterComment).join('')
}

const afterComment = (text: string): string => {
  const end = text.indexOf('-->')
  return end < 0 ? text : text.slice(end + '-->'.length)
}
