import { fork, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheOfCopy, compileSources } from '../support/compile-cache.ts'
import type { MutantRun, MutantTest } from '../support/run-mutants.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'test', 'mutants')

/**
 * The head of a patch names what must catch it: `test:` the title of a test, `in:` its file, and `fails:` words of the
 * failing assertion.
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
    const [test, file, fails] = [head('test'), head('in'), head('fails')]
    return { name: basename(name, '.patch'), patch, test, file, fails }
  })

let copies = ''
let runs: MutantRun[] = []
const copyOf = ({ name }: Mutant): string => join(copies, name)

beforeAll(async () => {
  const disk = process.env['TEST_DISK_FOLDER'] ?? tmpdir()
  copies = mkdtempSync(join(realpathSync(disk), 'cleo-mutants-'))
  mkdirSync(join(copies, cacheOfCopy))
  const problems = mutants.map((mutant) => plant(mutant)).filter((problem) => problem !== '')
  expect(problems, 'every patch applies').toEqual([])
  compileSources(copyOf(mutants[0]!), join(copyOf(mutants[0]!), cacheOfCopy))
  runs = await runAll(mutants.map((mutant) => ({ ...mutant, copy: copyOf(mutant) })))
}, 1_200_000)
afterAll(() => rmSync(copies, { recursive: true, force: true }))

test.each(mutants)('$name is caught by $test', (mutant) => {
  const run = runs.find(({ copy }) => copy === copyOf(mutant))!
  // A test that runs on both stores reports its title twice.
  expect([...new Set(run.titles)], run.failures.join('\n')).toEqual([mutant.test])
  expect(run.failures.join('\n')).toContain(mutant.fails)
})

/** Copies the sources and applies the patch to the copy. Returns the error of git if the patch does not apply. */
const plant = (mutant: Mutant): string => {
  const copy = copyOf(mutant)
  for (const name of ['src', 'test', 'scripts']) linkFolder(join(root, name), join(copy, name))
  for (const name of ['package.json', 'tsconfig.json', 'vitest.config.ts'])
    link(join(root, name), join(copy, name))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  symlinkSync(join('..', cacheOfCopy), join(copy, cacheOfCopy))
  const { status, stderr } = spawnSync('git', ['apply', mutant.patch], { cwd: copy, encoding: 'utf8' })
  return status === 0 && stderr === '' ? '' : `${mutant.name}: ${stderr}`
}

/**
 * Copies a folder with hard links where the disk allows it. This is safe, because git replaces a file that it
 * patches and does not write into it.
 */
const linkFolder = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const each of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, each.name), join(to, each.name)]
    if (each.isDirectory()) linkFolder(source, target)
    else link(source, target)
  }
}

const link = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** Runs the test of every mutant. */
const runAll = (tests: readonly MutantTest[]): Promise<MutantRun[]> =>
  new Promise((resolve, reject) => {
    const { PATH, TMPDIR, TEST_COMPILE_CACHE } = process.env
    const env = {
      PATH,
      TMPDIR,
      TEST_COMPILE_CACHE,
      NODE_COMPILE_CACHE: TEST_COMPILE_CACHE,
      HOME: join(copies, '.home'),
    }
    const child = fork(join(root, 'test', 'support', 'run-mutants.ts'), { env, execArgv: [], silent: true })
    let said = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk))
    let ran: MutantRun[] | undefined
    child.on('message', (all: MutantRun[]) => {
      ran = all
    })
    child.on('close', () => (ran ? resolve(ran) : reject(new Error(said))))
    child.send({ folder: copies, tests })
  })
