import * as v from 'valibot'
import { describe } from '../kernel/text.ts'

// Building a schema takes time. So these are functions and getters, and a schema is built only when a command needs it.
export const Limit = () =>
  describe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 'maximum number of results')
export const After = () =>
  describe(v.pipe(v.string(), v.maxLength(64)), 'the `next` value of the previous page')

export const paging = {
  get limit() {
    return v.optional(Limit(), 20)
  },
  get after() {
    return v.optional(After())
  },
}

/** The query must read one row more than `limit`. That row shows whether there is a next page. */
export const pageOf = <T>(rows: readonly T[], limit: number, cursor: (last: T) => string) => {
  const shown = rows.slice(0, limit)
  return { shown, ...(rows.length > limit && { next: cursor(shown.at(-1)!) }) }
}
