import { defineConfig } from 'vitest/config'

/** `npm run test:long`: the same suites, larger, one after the other. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    reporters: ['./test/support/reporter.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
    pool: 'forks',
  },
})
