import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReport } from '../../src/test-reports/read-report.ts'
import { withTemp } from '../support/temp.ts'

const root = join(import.meta.dirname, '..', '..')

/** Runs test files with the Vitest of this repository and reads its reports, as JSON and as JUnit XML. */
const reportsOf = (files: Record<string, string>) =>
  withTemp((folder) => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    mkdirSync(join(folder, 'test'))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'test', name), content)
    spawnSync(
      process.execPath,
      [
        join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--root=.',
        '--reporter=json',
        '--reporter=junit',
        '--outputFile.json=r.json',
        '--outputFile.junit=r.xml',
      ],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder } },
    )
    return ['r.json', 'r.xml'].map((name) => readReport(readFileSync(join(folder, name), 'utf8')))
  })

const head = "import { expect, test, describe } from 'vitest'\n"

test('[GATE-3] reads reports written by Vitest, as JSON and as JUnit XML', async () => {
  const green = {
    'a.test.ts': `${head}test('one & <two>', () => expect(1).toBe(1))\ntest.skip('later', () => {})`,
  }
  expect(await reportsOf(green)).toEqual(
    ['jest', 'junit'].map((format) => ({ format, tests: 2, passed: 1, failed: 0, skipped: 1 })),
  )
  const red = {
    'a.test.ts': `${head}describe('in', () => { test('a', () => {}); test('b', () => expect(1).toBe(2)) })`,
    'b.test.ts': `${head}test('c', () => {})\ntest.todo('d')`,
  }
  expect(await reportsOf(red)).toEqual(
    ['jest', 'junit'].map((format) => ({ format, tests: 4, passed: 2, failed: 1, skipped: 1 })),
  )
})

test('[GATE-3] a test file that cannot be loaded counts as a failure', async () => {
  const broken = {
    'a.test.ts': `${head}test('a', () => {})`,
    'b.test.ts': "import './not-there.ts'",
  }
  const reports = await reportsOf(broken)
  expect(reports.map((report) => 'failed' in report && report.failed > 0)).toEqual([true, true])
})

const nodeTests = `
  import { describe, it, test } from 'node:test'
  describe('suite', () => {
    it('a', () => {})
    describe('within', () => { it('b', () => {}); it.skip('c', () => {}); it.todo('d') })
  })
  test('parent', async (t) => {
    await t.test('e', () => {})
    await t.test('f', () => { if (process.env.RED) throw new Error('red') })
  })
`

test.each(['tap', 'junit'])('[GATE-3] what the test runner of Node writes as %s is read', async (format) => {
  await withTemp((folder) => {
    writeFileSync(join(folder, 'a.mjs'), nodeTests)
    const ran = (env: Record<string, string>) =>
      readReport(
        spawnSync(process.execPath, ['--test', `--test-reporter=${format}`, 'a.mjs'], {
          cwd: folder,
          env: { PATH: process.env['PATH'] ?? '', ...env },
          encoding: 'utf8',
        }).stdout,
      )
    expect(ran({})).toEqual({ format, tests: 6, passed: 4, failed: 0, skipped: 2 })
    expect(ran({ RED: '1' })).toEqual({ format, tests: 6, passed: 3, failed: 1, skipped: 2 })
  })
})
