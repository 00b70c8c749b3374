import fc from 'fast-check'

/**
 * Every run of `npm test` generates the same cases, so that a red run means a changed program. `npm run test:long` sets
 * another seed each time.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261) })

export default fc
