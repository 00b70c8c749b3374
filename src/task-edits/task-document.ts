import * as v from 'valibot'
import { nearest } from '../kernel/nearest.ts'
import type { Failure, Problem } from '../kernel/result.ts'
import { describe, maxBytes, normalised, text } from '../kernel/text.ts'
import { problemSentence } from '../refusals/refusal.ts'
import {
  emptyValue,
  fieldDefaults,
  isListField,
  type ListField,
  listFields,
  singleFields,
} from '../tasks/field-table.ts'
import type { Task } from '../tasks/task-shape.ts'
import type { Changes } from './apply-changes.ts'

export const DocumentText = v.pipe(v.string(), maxBytes(256 * 1024))
export const Draft = describe(text(4096), 'the file of an unsaved edit, to continue it')

/** The fields in the order in which the document shows them. */
const names: readonly string[] = [
  ...singleFields.map(({ as }) => as),
  ...listFields,
  'acceptance',
  'description',
]

export type ShownFields = Partial<
  Pick<Task, ((typeof singleFields)[number]['as'] & keyof Task) | ListField | 'acceptance' | 'description'>
>

/** Writes a task as a text to edit: one field on a line, the criteria as a check list, then the description. */
export const documentOf = (task: ShownFields, opening: readonly string[]): string => {
  const line = (name: string, value: string | undefined) => (value ? `${name}: ${value}` : `${name}:`)
  const list = (name: string, values: readonly string[] = []) =>
    values.some((value) => value.includes(','))
      ? [`${name}:`, ...values.map((value) => `- ${oneLine(value)}`)]
      : [line(name, values.map(oneLine).join(', '))]
  return [
    ...opening.map((text) => `# ${text}`),
    '',
    ...singleFields.map(({ as }) => line(as, oneLine(String(task[as] ?? '')))),
    ...listFields.flatMap((name) => list(name, task[name])),
    '',
    'acceptance:',
    ...(task.acceptance ?? []).map(
      ({ text, state }) => `- [${state === 'met' ? 'x' : ' '}] ${oneLine(text)}`,
    ),
    '',
    'description:',
    task.description ?? '',
    '',
  ].join('\n')
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

export interface ReadDocument {
  fields: ReadonlyMap<string, { value: string | string[]; line: number }>
  problems: Problem[]
  /** True if the document contains only comments and field names. */
  isEmpty: boolean
}

export const readDocument = (text: string): ReadDocument => {
  const fields = new Map<string, { value: string | string[]; line: number }>()
  const problems: Problem[] = []
  const lines = normalised(text).split('\n')
  let isEmpty = true
  let open: string | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.trim()
    const problem = (message: string) => problems.push({ path: `line ${i + 1}`, message })
    if (line === '' || line.startsWith('#')) continue
    const item = /^[-*+](?:\s+(?:\[[ xX]\](?:\s+|$))?(.*))?$/.exec(line)
    if (item && open) {
      const { value } = fields.get(open)!
      if (item[1]?.trim()) (value as string[]).push(item[1].trim())
      isEmpty = false
      continue
    }
    const [, name, value = ''] = /^([a-z]+):\s*(.*)$/i.exec(line) ?? []
    const field = name?.toLowerCase()
    if (field === 'description') {
      const rest = lines.slice(i + 1)
      while (rest.length > 0 && rest.at(-1)!.trim() === '') rest.pop()
      const first = value ? 0 : rest.findIndex((each) => each.trim() !== '')
      const own = value ? [value, ...rest] : rest.slice(Math.max(first, 0))
      if (own.length > 0) isEmpty = false
      fields.set(field, { value: own.join('\n'), line: i + 1 })
      const marked = rest.findIndex((each) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(each))
      if (marked >= 0)
        problems.push({
          path: `line ${i + 2 + marked}`,
          message: 'is a conflict marker; choose one side and remove the markers',
        })
      break
    }
    if (/^(?:<{7}|={7}|>{7})(?: |$)/.test(line))
      problem('is a conflict marker; choose one side and remove the markers')
    else if (field === undefined) problem('is neither a field such as "size: small" nor an item of a list')
    else if (!names.includes(field)) {
      const near = nearest(field, names)
      problem(`"${field}" is not a field of a task${near ? `; did you mean "${near}"?` : ''}`)
    } else if (fields.has(field)) problem(`${field} is already on line ${fields.get(field)!.line}`)
    else {
      if (value) isEmpty = false
      const isList = field === 'acceptance' || isListField(field)
      const values = field === 'acceptance' ? [value] : value.split(',')
      fields.set(field, {
        value: isList ? values.map((each) => each.trim()).filter((each) => each !== '') : value,
        line: i + 1,
      })
      open = isList ? field : undefined
      continue
    }
    open = undefined
  }
  return { fields, problems, isEmpty }
}

/** A field whose line was deleted is not changed. */
export const documentChanges = (
  base: ReadDocument,
  read: ReadDocument,
): { changes: Changes; problems: Problem[] } => {
  const changes: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [name, { value, line }] of read.fields) {
    const before = base.fields.get(name)?.value
    if (JSON.stringify(before ?? '') === JSON.stringify(value)) continue
    const empty = fieldDefaults[name] ? undefined : emptyValue(name)
    if (value === '' && empty === undefined)
      problems.push({ path: `line ${line}`, message: `${name} is empty` })
    else changes[name] = value === '' ? empty : value
  }
  return { changes: changes as Changes, problems }
}

/** Replaces the path of a problem by `line 3`, if the problem's field is on line 3 of the document. */
export const withLine = (problem: Problem, read: ReadDocument): Problem => {
  const line = read.fields.get(problem.path.split('.')[0]!)?.line
  return line === undefined
    ? problem
    : { ...problem, path: `line ${line}`, message: problemSentence(problem) }
}

export const atLines = <F extends Failure>(failure: F, read: ReadDocument): F => {
  const { problems, code, message, fix } = failure
  if (problems) return { ...failure, problems: problems.map((each) => withLine(each, read)) }
  const field = fieldOf[code]
  if (!field) return failure
  return { ...failure, problems: [withLine({ path: field, message, ...(fix && { fix }) }, read)] }
}

/** For refusals that do not list problems: maps the code of the refusal to the field that the refusal is about. */
const fieldOf: Readonly<Record<string, string>> = {
  'parent.not_found': 'parent',
  'parent.invalid': 'parent',
  'parent.closed': 'parent',
  'depth.exceeded': 'parent',
  'dependency.not_found': 'depends',
  cycle: 'depends',
}
