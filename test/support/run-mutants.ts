import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { LongestFirst } from './longest-first.ts'
import { noClient } from './no-client.ts'

/** One test in a copy of the sources. */
export interface MutantTest {
  /** The folder of the copy. */
  copy: string
  file: string
  test: string
}

/** The result of the tests in one copy. */
export interface MutantRun {
  copy: string
  titles: string[]
  /** The messages of the failed tests, or why the file could not be run. */
  failures: string[]
}

/** Runs one test in each copy, all in one Vitest. Starting a Vitest for each copy would take longer than the tests. */
const runAll = async (folder: string, tests: readonly MutantTest[]): Promise<MutantRun[]> => {
  const vitest = await createVitest({
    ...{ root: folder, config: false, watch: false, run: true, reporters: [{}], cache: false },
    ...{ include: ['*/test/**/*.test.ts'], testTimeout: 900_000, pool: 'forks', env: noClient },
    execArgv: ['--import', join(import.meta.dirname, 'strip-once.ts')],
    // Several test files can share a worker, because the copies have different paths and no worker sees a module of
    // another copy.
    ...{ isolate: false, maxWorkers: availableParallelism() },
    // Start the longest tests first. Otherwise a test that mostly waits would run alone at the end.
    sequence: { sequencer: LongestFirst },
    // Let Node load the modules, because transforming every module of every copy would take longer than the tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  })
  try {
    const specifications = tests.map(({ copy, file, test }) =>
      vitest.getRootProject().createSpecification(join(copy, file), {
        testNamePattern: new RegExp(`(^| )${test.replace(/[[\](){}.*+?^$|\\]/g, '\\$&')}$`),
      }),
    )
    const { testModules } = await vitest.runTestSpecifications(specifications)
    return tests.map(({ copy, file }) => {
      const module = testModules.find(({ moduleId }) => moduleId === join(copy, file))
      const all = [...(module?.children.allTests() ?? [])]
      const ran = all.filter((each) => each.result().state !== 'skipped')
      const errors = [...(module?.errors() ?? []), ...ran.flatMap((each) => each.result().errors ?? [])]
      return { copy, titles: ran.map(({ name }) => name), failures: errors.map(({ message }) => message) }
    })
  } finally {
    await vitest.close()
  }
}

process.on('message', async ({ folder, tests }: { folder: string; tests: MutantTest[] }) => {
  process.send!(await runAll(folder, tests))
  process.disconnect()
})
