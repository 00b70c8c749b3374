import { defineConfig } from 'vitest/config'

/** `npm run test:long`: the same suites, larger, and the property tests with a new seed, one file after the other. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts', 'test/{graph,kernel,markdown,prompt}/**/*.test.ts'],
    reporters: ['./test/support/reporter.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
    pool: 'forks',
    env: { PROPERTY_SEED: String(Date.now() % 2 ** 31) },
  },
})
