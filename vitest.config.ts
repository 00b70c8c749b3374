import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    reporters: ['./test/support/reporter.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // The git of a test never finds a repository around the temporary folder.
    env: { GIT_CEILING_DIRECTORIES: realpathSync(tmpdir()) },
  },
})
