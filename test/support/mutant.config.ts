import { defineConfig } from 'vitest/config'

/** What a mutant is run with: the tests it must fail bring their own servers. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    pool: 'forks',
  },
})
