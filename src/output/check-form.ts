import type { FileFinding } from '../kernel/file-finding.ts'
import { type Section, sections } from '../markdown/headings.ts'
import { draft, formOf, type OutputFacts } from './template.ts'
import { plainTitle, withoutComments } from './unfilled.ts'

type ExpectedHead = Pick<OutputFacts, 'task' | 'epic' | 'protocol'>

export const checkForm = (file: string, text: string, expected: ExpectedHead): FileFinding[] => {
  const found = sections(text)
  const at = (offset: number): number => text.slice(0, offset).split('\n').length
  const error = (message: string, line?: number): FileFinding => ({
    level: 'error',
    file,
    ...(line && { line }),
    message,
  })
  const title = found[0]?.level === 1 ? found[0] : undefined
  return [
    ...(title?.title.trim() ? [] : [error('has no title: a first line such as "# Sign-up form"', 1)]),
    ...headFindings(text, found, expected, error),
    ...formOf(expected.protocol).sections.flatMap((name) => {
      const section = found.find((each) => each.level > 1 && sameTitle(each.title, name))
      if (!section) return [error(`has no section "## ${name}"`)]
      return isEmpty(text, section, found) ? [error(`"## ${name}" is still empty`, at(section.start))] : []
    }),
  ]
}

type MakeFinding = (message: string, line?: number) => FileFinding

/** Checks the lines between the title and the first section, such as `**Task**: T012`. */
const headFindings = (
  text: string,
  found: readonly Section[],
  { task, epic, protocol }: ExpectedHead,
  error: MakeFinding,
): FileFinding[] => {
  const end = found.find(({ level }) => level > 1)?.start ?? text.length
  const { head, statuses } = formOf(protocol)
  const lines = new Map<string, { value: string; line: number }>()
  for (const [i, line] of text.slice(0, end).split('\n').entries()) {
    const plain = line.replaceAll('*', '').replace(/^[\s>-]+/, '')
    const colon = plain.indexOf(':')
    const name = head.find((each) => sameTitle(plain.slice(0, Math.max(0, colon)), each))
    if (name && !lines.has(name)) lines.set(name, { value: plain.slice(colon + 1).trim(), line: i + 1 })
  }
  const checks: Record<string, (value: string) => string | undefined> = {
    Task: (value) => (value === task ? undefined : `has "Task: ${value}", but belongs to ${task}`),
    Epic: (value) =>
      epic === undefined || value === epic ? undefined : `has "Epic: ${value}", but belongs to ${epic}`,
    Date: (value) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value) ? undefined : 'needs a date such as 2026-01-31 after "Date:"',
    Status: (value) => wrongStatus(value, statuses),
    Version: (value) => (/\d/.test(value) ? undefined : 'needs a number after "Version:"'),
  }
  // A file of the first version of the protocol has no Epic line, which is allowed.
  const isOldForm = ['Task', 'Date', 'Status'].every((name) => lines.has(name))
  return head.flatMap((name) => {
    const line = lines.get(name)
    if (!line && name === 'Epic' && isOldForm) return []
    if (!line) return [error(`has no line "**${name}**: …" above its first section`)]
    const message = checks[name]?.(line.value)
    return message ? [error(message, line.line)] : []
  })
}

const wrongStatus = (value: string, statuses: readonly string[]): string | undefined => {
  if (statuses.includes(value.toLowerCase())) return undefined
  return value === draft
    ? 'has "Status: draft"; set complete, partial or blocked'
    : `needs one of ${statuses.join(', ')} after "Status:"`
}

const sameTitle = (a: string, b: string): boolean => plainTitle(a) === b.toLowerCase()

const isEmpty = (text: string, { start, end }: Section, found: readonly Section[]): boolean => {
  const lines = withoutComments(text.slice(start, end)).split('\n')
  const headings = found.filter((each) => each.start >= start && each.start < end).length
  return lines.filter((line) => line.trim() !== '').length <= headings
}
