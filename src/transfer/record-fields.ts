import * as v from 'valibot'

/** A moment, written the one way an export writes it. */
export const Time = v.pipe(
  v.string(),
  v.check((s) => isTime(s), 'is a moment such as 2026-01-31T12:00:00.000Z'),
)
const isTime = (text: string): boolean => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const Name = v.pipe(v.string(), v.minLength(1, 'is empty'))
