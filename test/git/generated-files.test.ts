import { describe, expect, test } from 'vitest'
import { generatedPart } from '../../src/git/generated-files.ts'

const buildFiles = ['Cargo.toml', 'web/package.json']
const partOf = (path: string) => generatedPart(path, (name) => buildFiles.includes(name))

describe('[GATE-4] the names of generated files', () => {
  test.each([
    ['__pycache__/calc.cpython-314.pyc', '__pycache__/', '__pycache__/'],
    ['src/calc/__pycache__/calc.pyc', 'src/calc/__pycache__/', '__pycache__/'],
    ['old.pyc', 'old.pyc', '*.pyc'],
    ['web/node_modules/a/index.js', 'web/node_modules/', 'node_modules/'],
    ['.venv/bin/python', '.venv/', '.venv/'],
    ['web/dist/app.js', 'web/dist/', 'dist/'],
    ['target/debug/app', 'target/', 'target/'],
    ['docs/.DS_Store', 'docs/.DS_Store', '.DS_Store'],
    ['lib/tsconfig.tsbuildinfo', 'lib/tsconfig.tsbuildinfo', '*.tsbuildinfo'],
  ])('%s is generated', (path, part, ignore) => {
    expect(partOf(path)).toEqual({ path: part, ignore })
  })

  test.each([
    'dist/app.js',
    'web/target/a.txt',
    'src/node_modules.ts',
    'venv',
    'build/plan.md',
    'pyc',
    'constructor/a.ts',
  ])('%s may be work', (path) => {
    expect(partOf(path)).toBeUndefined()
  })
})
