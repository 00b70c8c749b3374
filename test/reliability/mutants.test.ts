import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemp } from '../support/temp.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'test', 'mutants')

/**
 * A patch starts with what it must be caught by: `test:` a title, `in:` its file (small.test.ts when left out), and
 * `fails:` the words of the assertion.
 */
interface Mutant {
  name: string
  patch: string
  test: string
  file: string
  fails: string
}

const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .map((name): Mutant => {
    const patch = join(folder, name)
    const text = readFileSync(patch, 'utf8')
    const head = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(text)?.[1] ?? ''
    const file = head('in') || 'test/reliability/small.test.ts'
    return { name: basename(name, '.patch'), patch, test: head('test'), file, fails: head('fails') }
  })

test.concurrent.each(mutants)('$name is caught by $test', (mutant) =>
  withTemp(async (copy) => {
    for (const name of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
      cpSync(join(root, name), join(copy, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const applied = spawnSync('git', ['apply', mutant.patch], { cwd: copy, encoding: 'utf8' })
    expect(applied.stderr, 'the patch applies').toBe('')
    expect(applied.status, 'the patch applies').toBe(0)

    const results = await runOne(copy, mutant)
    expect(results.map(({ title }) => title)).toEqual([mutant.test])
    expect(results[0]!.failureMessages.join('\n')).toContain(mutant.fails)
  }),
)

interface TestResult {
  title: string
  status: string
  failureMessages: string[]
}

/** Runs that test in the copy; answers what ran. */
const runOne = async (copy: string, { file, test }: Mutant): Promise<TestResult[]> => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const report = join(copy, 'report.json')
  const args = [
    ...['run', file, '--config', 'test/support/mutant.config.ts', '-t', `(^| )${literally(test)}$`],
    ...['--reporter=json', '--no-cache'],
  ]
  const said = await new Promise<string>((resolve) => {
    const { PATH, TEST_COMPILE_CACHE } = process.env
    const env = { PATH, TEST_COMPILE_CACHE, NODE_COMPILE_CACHE: TEST_COMPILE_CACHE, HOME: copy }
    const options = { cwd: copy, env }
    execFile(process.execPath, [vitest, ...args, `--outputFile=${report}`], options, (_, out, err) =>
      resolve(out + err),
    )
  })
  if (!existsSync(report)) throw new Error(said)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[]
  }
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults)
  return ran.filter(({ status }) => status === 'passed' || status === 'failed')
}

const literally = (text: string): string => text.replace(/[[\](){}.*+?^$|\\]/g, '\\$&')
