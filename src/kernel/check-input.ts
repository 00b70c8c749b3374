import * as v from 'valibot'
import { innermostSchema, type Schema } from './innermost-schema.ts'
import { mostProblems } from './input-limits.ts'
import { oversizedLists } from './list-limits.ts'
import { nearest } from './nearest.ts'
import type { Problem } from './result.ts'

export type CheckedInput<S extends Schema> = { ok: true; value: v.InferOutput<S> } | WrongInput

interface WrongInput {
  ok: false
  /** At most `mostProblems`. */
  problems: Problem[]
  /** The number of problems that are not in `problems`. */
  more: number
  unknown: string[]
  /** Set if a list was too long. In that case nothing else was checked. */
  oversized?: true
}

/**
 * Checks input against a schema and reports every problem, not only the first. The check must be fast even for a huge
 * invalid input. So list lengths are checked before list items, and a long batch is checked in portions.
 */
export const checkInput = <S extends Schema>(schema: S, input: unknown): CheckedInput<S> => {
  if (hasList(input)) {
    const problems = oversizedLists(schema, input)
    if (problems.length > 0) return { ok: false, problems, more: 0, unknown: [], oversized: true }
    const batch = longBatch(schema, input)
    if (batch !== undefined) return checkInPortions(schema, input, batch)
  }
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return { ok: true, value: parsed.output }
  const wrong: WrongInput = { ok: false, problems: [], more: 0, unknown: [] }
  for (const issue of parsed.issues) addIssue(schema, issue, wrong)
  return wrong
}

const addIssue = (schema: Schema, issue: v.BaseIssue<unknown>, wrong: WrongInput): void => {
  const path = issue.path ?? []
  if (!isUnknownKey(issue))
    return addProblem(wrong, () => ({ path: dotted(path), message: messageOf(issue) }))
  // The schema reports only the first unknown key of an object. So find and report the other unknown keys here.
  const known = Object.keys(entriesAt(schema, path.slice(0, -1)) ?? {})
  for (const key of Object.keys(path.at(-1)!.input as object)) {
    if (known.includes(key)) continue
    if (wrong.unknown.length < mostProblems) wrong.unknown.push(key)
    addProblem(wrong, () => {
      const near = nearest(key, known)
      return {
        path: dotted([...path.slice(0, -1), { key }]),
        message: `"${key}" is not a known field${near ? `; did you mean "${near}"?` : ''}`,
      }
    })
  }
}

/** Builds messages only for the first `mostProblems` problems, because building a message takes time. */
const addProblem = (wrong: WrongInput, problem: () => Problem): void => {
  if (wrong.problems.length < mostProblems) wrong.problems.push(problem())
  else wrong.more++
}

type InputFields = Record<string, unknown>

const hasList = (input: unknown): input is InputFields => {
  if (typeof input !== 'object') return false
  for (const key in input as InputFields) if (Array.isArray((input as InputFields)[key])) return true
  return false
}

const portion = 1000

/** Returns the name of the batch field, if the batch has too many rows to be checked in one portion. */
const longBatch = (schema: Schema, input: InputFields): string | undefined => {
  const { entries = {} } = innermostSchema(schema)
  return Object.keys(entries).find((key) => {
    const { item } = innermostSchema(entries[key]!)
    const rows = input[key]
    return item && innermostSchema(item).entries && Array.isArray(rows) && rows.length > portion
  })
}

const checkInPortions = <S extends Schema>(schema: S, input: InputFields, batch: string): CheckedInput<S> => {
  const rows = input[batch] as unknown[]
  const accepted: unknown[] = []
  let others: InputFields = {}
  const wrong: WrongInput = { ok: false, problems: [], more: 0, unknown: [] }
  for (let from = 0; from < rows.length; from += portion) {
    const checked = checkInput(schema as Schema, { ...input, [batch]: rows.slice(from, from + portion) })
    if (checked.ok) {
      others = checked.value as InputFields
      for (const row of others[batch] as unknown[]) accepted.push(row)
      continue
    }
    wrong.more += checked.more
    wrong.unknown.push(...checked.unknown.slice(0, mostProblems - wrong.unknown.length))
    for (const problem of checked.problems) {
      const [field, row, ...rest] = problem.path.split('.')
      // The other fields of the input were checked again with each portion of the batch. Report their problems only
      // for the first portion.
      if (field !== batch && from > 0) continue
      const path = field === batch && row ? [field, Number(row) + from, ...rest].join('.') : problem.path
      addProblem(wrong, () => ({ ...problem, path }))
    }
  }
  const isRight = wrong.problems.length === 0
  return isRight ? { ok: true, value: { ...others, [batch]: accepted } as v.InferOutput<S> } : wrong
}

const entriesAt = (schema: Schema, path: readonly { key?: unknown }[]) => {
  let at = innermostSchema(schema)
  for (const { key } of path) {
    const inner = typeof key === 'number' ? at.item : at.entries?.[String(key)]
    if (!inner) return undefined
    at = innermostSchema(inner)
  }
  return at.entries
}

const isUnknownKey = (issue: v.BaseIssue<unknown>) =>
  issue.type === 'strict_object' && issue.expected === 'never'

const dotted = (path: readonly { key?: unknown }[]): string => path.map(({ key }) => String(key)).join('.')

const messageOf = (issue: v.BaseIssue<unknown>): string => {
  if (issue.type === 'strict_object' && issue.received === 'undefined') return 'is missing'
  // If the input fits an option of the union except for one part, the message is about that part. Otherwise the
  // message is about the last option, which is the general form.
  if (issue.type === 'union' && issue.issues)
    return messageOf(issue.issues.findLast(isAboutPart) ?? issue.issues.at(-1)!)
  if (isUnknownKey(issue)) return `"${issue.path?.at(-1)?.key}" is not a known field`
  if (issue.type === 'picklist') {
    const choices = (issue.expected ?? '').replaceAll(/[()"]/g, '').split(' | ')
    const near = nearest(String(issue.input), choices)
    return `must be one of ${choices.join(', ')}, not ${issue.received}${near ? `; did you mean "${near}"?` : ''}`
  }
  if (issue.kind === 'schema') return `must be ${article(issue.expected)}, not ${issue.received}`
  if (issue.type === 'integer') return `must be a whole number, not ${issue.received}`
  if (issue.type === 'min_value') return `must be at least ${issue.expected?.slice(2)}, not ${issue.received}`
  if (issue.type === 'max_value') return `must be at most ${issue.expected?.slice(2)}, not ${issue.received}`
  return issue.message
}

/** Whether only a part of the input is wrong. For example, returns false if a list was given instead of an object. */
const isAboutPart = (issue: v.BaseIssue<unknown>): boolean =>
  issue.path !== undefined && !(issue.type === 'strict_object' && Array.isArray(issue.path.at(-1)!.input))

const article = (expected: string | null) => {
  if (!expected) return 'something else'
  if (expected === 'Object') return 'an object'
  if (expected === 'Array') return 'a list'
  return /^[aeiou]/i.test(expected) ? `an ${expected}` : `a ${expected}`
}
