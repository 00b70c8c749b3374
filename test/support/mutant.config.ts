import { defineConfig } from 'vitest/config'
import { noClient } from './no-client.ts'

/** The configuration for mutants: the tests that must fail start their own servers. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    pool: 'forks',
    env: noClient,
  },
})
