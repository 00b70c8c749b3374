import * as v from 'valibot'

const kinds = { C: 'a consensus', M: 'a memory', Q: 'a question', R: 'a run' } as const
export type NumberedKind = keyof typeof kinds

export const numberedId = (kind: NumberedKind, n: number): string => `${kind}${n}`

export const parseNumbered = (kind: NumberedKind, input: string): number | undefined => {
  const text = input.trim()
  const digits = text.slice(1)
  if (text[0]?.toUpperCase() !== kind || digits.length === 0 || digits.length > 12) return undefined
  for (const digit of digits) if (digit < '0' || digit > '9') return undefined
  return Number(digits) > 0 ? Number(digits) : undefined
}

/** A run makes all its spawns under its own id, such as `R001`. */
export const isRun = (actor: string): boolean => parseNumbered('R', actor) !== undefined

/** The parsed value is the number. */
export const NumberedId = (kind: NumberedKind) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const n = parseNumbered(kind, dataset.value)
      if (n !== undefined) return n
      addIssue({
        message: `"${dataset.value.slice(0, 40)}" is not the id of ${kinds[kind]}; ids look like ${kind}1`,
      })
      return NEVER
    }),
  )
