import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { useMemory } from './test/support/memory-folder.ts'
import { noClient } from './test/support/no-client.ts'

useMemory()

const properties = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes('/support/properties.ts'),
)

/** `npm run test:long`: the same suites, larger, and the property tests with a new seed, one file after the other. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts', ...properties],
    reporters: ['./test/support/reporter.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
    pool: 'forks',
    env: { PROPERTY_SEED: String(Date.now() % 2 ** 31), ...noClient },
  },
})
