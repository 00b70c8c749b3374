import { realpathSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { useMemory } from './test/support/memory-folder.ts'
import { noClient } from './test/support/no-client.ts'

useMemory()

export default defineConfig({
  // Packages for reference, such as the Markdown parser, check themselves at every step in their development build.
  ssr: { resolve: { conditions: ['module', 'node', 'production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'test/clients/real/**', 'node_modules/**'],
    reporters: ['./test/support/reporter.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // Tests share modules, never state: a fresh process for every file costs a quarter of the run.
    isolate: false,
    // Two more than there are cores, because a test waits for the processes it starts, for leases that expire and for
    // agents that hang.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // The git of a test never finds a repository around the temporary folder.
    env: { GIT_CEILING_DIRECTORIES: realpathSync(tmpdir()), ...noClient },
  },
})
