import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { noClient } from './test/support/no-client.ts'

/** `npm run test:clients`: real agent clients against the scripted model, one file after the other. */
export default defineConfig({
  test: {
    include: ['test/clients/real/**/*.test.ts'],
    reporters: ['./test/support/reporter.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    pool: 'forks',
    env: { GIT_CEILING_DIRECTORIES: realpathSync(tmpdir()), ...noClient },
  },
})
