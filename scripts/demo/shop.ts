import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Demo } from './demo.ts'

export const write = ({ folder }: Demo, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const author = ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid']

const git = ({ run }: Demo, ...args: string[]): string => run(['git', ...author, ...args]).trim()

export const commit = (demo: Demo, subject: string, task?: string): void => {
  git(demo, 'add', '--all')
  git(demo, 'commit', '--quiet', '--message', subject, ...(task ? ['--message', `Task: ${task}`] : []))
}

/** A project with tests for prices and no code that passes them. */
export const createShop = (demo: Demo): void => {
  mkdirSync(demo.folder)
  write(
    demo,
    'package.json',
    `${JSON.stringify({ name: 'shop', type: 'module', private: true, scripts: { test: 'node --test --test-reporter=tap' } }, null, 2)}\n`,
  )
  write(
    demo,
    'test/price.test.js',
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.js'

test('cents are shown as euros', () => assert.equal(price(1250), '12.50 €'))
test('fractions of a cent are refused', () => assert.throws(() => price(0.5)))
`,
  )
  git(demo, 'init', '--quiet', '--initial-branch=main')
  commit(demo, 'Add tests for prices')
}
