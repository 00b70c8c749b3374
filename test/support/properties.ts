import fc from 'fast-check'

const { PROPERTY_SEED } = process.env

/**
 * Every run of `npm test` generates the same cases, so that a test fails only if the program changed.
 * `npm run test:long` sets another seed each time.
 */
fc.configureGlobal({ seed: Number(PROPERTY_SEED ?? 20_261) })

/**
 * Returns how many cases a property gets, or how many rows a large batch gets. `npm run test:long` uses all, `npm test`
 * a fifth.
 */
export const runs = (all: number): number => (PROPERTY_SEED === undefined ? all / 5 : all)

export default fc
