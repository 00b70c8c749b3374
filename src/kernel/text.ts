import * as v from 'valibot'

/** Rejects text that contains half a surrogate pair, because the store cannot keep it unchanged. */
export const unicode = () => v.check((s: string) => s.isWellFormed(), 'is not valid Unicode')

/** Non-empty text, trimmed, with a limit in characters. */
export const text = (limit: number) =>
  v.pipe(
    v.string(),
    unicode(),
    v.trim(),
    v.minLength(1, 'is empty'),
    v.maxLength(limit, `is limited to ${limit} characters`),
  )

/** A list without repeats, in the order given. */
export const list = <S extends v.GenericSchema<string, string>>(item: S, what: string, limit: number) =>
  v.pipe(
    v.array(item),
    v.maxLength(limit, `is limited to ${limit} ${what}`),
    v.transform((items) => [...new Set(items)]),
  )

export const describe = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(schema, v.description(sentence))
