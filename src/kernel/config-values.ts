import * as v from 'valibot'
import { mostOfPath, plainPath, plainPathRule } from '../print/plain-path.ts'
import { shellWords } from './shell-words.ts'

const withoutNul = v.regex(/^[^\u0000]*$/, 'must not contain NUL')

const Words = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1), withoutNul)),
  v.minLength(1, 'must be a program and its arguments, such as ["./notify", "--all"]'),
)
export const Hook = v.union([
  Words,
  v.strictObject({
    run: Words,
    timeout: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(300))),
  }),
])

const CommandText = v.pipe(
  v.string(),
  withoutNul,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const split = shellWords(dataset.value)
    if (split.ok) return split.words
    addIssue({ message: split.why })
    return NEVER
  }),
)

/** On one machine, only one exclusive command runs at a time. */
export interface ConfiguredCommand {
  run: string[]
  exclusive?: true
}

/**
 * In `config.json`, a command is a text, a list of words or an object. Parsing turns each of them into a
 * `ConfiguredCommand`.
 */
export const Command = v.pipe(
  v.union([
    Words,
    v.strictObject({ run: v.union([Words, CommandText]), exclusive: v.optional(v.boolean()) }),
    CommandText,
  ]),
  v.transform((given): ConfiguredCommand => {
    if (Array.isArray(given)) return { run: given }
    return given.exclusive ? { run: given.run, exclusive: true } : { run: given.run }
  }),
)

const units = ['', 'K', 'M', 'G', 'T']

/** A number of bytes, or text such as `2GB` or `512 MiB`. */
export const Bytes = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const [, number, unit, binary] =
        /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*([KMGT]?)(i?)B?\s*$/i.exec(dataset.value) ?? []
      if (number !== undefined)
        return Math.round(Number(number) * (binary ? 1024 : 1000) ** units.indexOf(unit!.toUpperCase()))
      addIssue({ message: 'must be a number of bytes, or text such as 2GB' })
      return NEVER
    }),
  ),
])

export const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(500), withoutNul)
/**
 * A path that CLEO uses and puts into prompts without asking for a person's trust. So only plain characters are
 * allowed.
 */
export const PlainPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(mostOfPath, plainPathRule),
  v.regex(plainPath, plainPathRule),
)
export const Tokens = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
export const TokenName = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be a name such as BUILD_ID'),
)

/** Schema of an object with one optional key for each name. */
export const each = <N extends string, S extends v.GenericSchema>(
  names: readonly N[],
  schema: S,
  about: (name: N) => string,
) =>
  v.strictObject(
    Object.fromEntries(
      names.map((name) => [name, v.optional(v.pipe(schema, v.description(about(name))))]),
    ) as unknown as Record<N, v.OptionalSchema<S, undefined>>,
  )
