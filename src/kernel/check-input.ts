import * as v from 'valibot'
import { nearest } from './nearest.ts'
import type { Problem } from './result.ts'

type Schema = v.GenericSchema<unknown, unknown>
interface Shape {
  entries?: Record<string, Schema>
  item?: Schema
  wrapped?: Schema
  pipe?: readonly [Schema, ...unknown[]]
  options?: readonly unknown[]
}

export type CheckedInput<S extends Schema> =
  | { ok: true; value: v.InferOutput<S> }
  | { ok: false; problems: Problem[]; unknown: string[] }

/** Checks input against a schema and reports every problem, not only the first. */
export const checkInput = <S extends Schema>(schema: S, input: unknown): CheckedInput<S> => {
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return { ok: true, value: parsed.output }
  const unknown: string[] = []
  const problems = parsed.issues.flatMap((issue) => {
    const path = issue.path ?? []
    if (!isUnknownKey(issue)) return [{ path: dotted(path), message: messageOf(issue) }]
    // The schema stops at the first unknown key of an object; report all of them.
    const known = Object.keys(entriesAt(schema, path.slice(0, -1)) ?? {})
    const given = Object.keys(path.at(-1)!.input as object).filter((key) => !known.includes(key))
    unknown.push(...given)
    return given.map((key) => {
      const near = nearest(key, known)
      return {
        path: dotted([...path.slice(0, -1), { key }]),
        message: `"${key}" is not a known field${near ? `; did you mean "${near}"?` : ''}`,
      }
    })
  })
  return { ok: false, problems, unknown }
}

/** Returns the valid fields and rows of an input, so that later checks can find more problems in it. */
export const validParts = (schema: Schema, input: unknown): unknown => {
  const { entries, item } = innermostSchema(schema)
  if (entries && typeof input === 'object' && input !== null) {
    const given = Object.entries(entries).filter(([key]) => key in input)
    const fit = given.map(([key, entry]) => [key, validParts(entry, (input as Record<string, unknown>)[key])])
    return Object.fromEntries(fit.filter(([, value]) => value !== undefined))
  }
  if (item && innermostSchema(item).entries && Array.isArray(input))
    return input.map((each) => validParts(item, each) ?? {})
  const parsed = v.safeParse(schema, input)
  return parsed.success ? parsed.output : undefined
}

/** Returns the schema inside all `optional`, `nullable` and pipe wrappers. */
export const innermostSchema = (schema: Schema): Schema & Shape => {
  const { wrapped, pipe } = schema as Shape
  const inner = pipe?.[0] ?? wrapped
  return inner && inner !== schema ? innermostSchema(inner) : (schema as Schema & Shape)
}

const entriesAt = (schema: Schema, path: readonly { key?: unknown }[]): Shape['entries'] => {
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
  // A union lists special words first and the general form last, so the message is about the general form.
  if (issue.type === 'union' && issue.issues) return messageOf(issue.issues.at(-1)!)
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

const article = (expected: string | null) => {
  if (!expected) return 'something else'
  return /^[aeiou]/i.test(expected) ? `an ${expected}` : `a ${expected}`
}
