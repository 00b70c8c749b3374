import * as v from 'valibot'

/** Normalises text that CLEO reads: every line ends in `\n`, and a byte order mark at the start is removed. */
export const normalised = (text: string): string => {
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const own = from === 0 ? text : text.slice(from)
  return own.includes('\r') ? own.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : own
}

/** Rejects text with half a surrogate pair, because the store would change it. */
export const unicode = () => v.check((s: string) => s.isWellFormed(), 'is not valid Unicode')

/** Non-empty text, trimmed, with a limit in characters. */
export const text = (limit: number) =>
  v.pipe(
    v.string(),
    unicode(),
    v.transform(normalised),
    v.trim(),
    v.minLength(1, 'is empty'),
    v.maxLength(limit, `is limited to ${limit} characters`),
  )

/** The command table reads the limit from `bytes`. */
export const maxBytes = (limit: number, message = `is limited to ${limit} bytes`) => ({
  ...v.check((s: string) => Buffer.byteLength(s) <= limit, message),
  bytes: limit,
})

/** A list without duplicates, in the given order. */
export const list = <S extends v.GenericSchema<string, string>>(item: S, what: string, limit: number) =>
  v.pipe(
    v.array(item),
    v.maxLength(limit, `is limited to ${limit} ${what}`),
    v.transform((items) => (items.length > 1 ? [...new Set(items)] : items)),
  )

export const describe = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(schema, v.description(sentence))
