import fc from 'fast-check'

const { PROPERTY_SEED } = process.env

/**
 * Every run of `npm test` generates the same cases, so that a test fails only if the program changed.
 * `npm run test:long` sets another seed each time.
 */
fc.configureGlobal({ seed: Number(PROPERTY_SEED ?? 20_261) })

/**
 * How many cases a property gets. `npm run test:long` uses all, `npm test` a twentieth: it generates the same ones each
 * time, so more of them would seldom catch more. `of` is another share, for a property that few of its cases test.
 */
export const runs = (all: number, of = 20): number => share(all, of)

/** How many rows a large batch gets. `npm run test:long` uses all, `npm test` a fifth. */
export const rows = (all: number): number => share(all, 5)

const share = (all: number, of: number): number => (PROPERTY_SEED === undefined ? Math.ceil(all / of) : all)

export default fc
