import * as v from 'valibot'
import { innermostSchema, type Schema } from './innermost-schema.ts'

/** Returns the parts of an input that match the schema, so that they can be used even if other parts are invalid. */
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
