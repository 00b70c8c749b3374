import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Demo } from './demo.ts'

export const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const author = ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid']

const git = (demo: Demo, folder: string, ...args: string[]): Promise<string> =>
  demo.run(['git', ...author, ...args], undefined, folder)

export const commit = async (demo: Demo, folder: string, subject: string, task?: string): Promise<void> => {
  await git(demo, folder, 'add', '--all')
  const trailer = task ? ['--message', `Task: ${task}`] : []
  await git(demo, folder, 'commit', '--quiet', '--message', subject, ...trailer)
}

/** A project with one test, which passes. `src/shop.js` exports everything that the shop can do. */
export const createShop = async (demo: Demo): Promise<void> => {
  const { folder } = demo
  const scripts = { test: 'node --test --test-reporter=tap' }
  const about = { name: 'shop', type: 'module', private: true, scripts }
  write(folder, 'package.json', `${JSON.stringify(about, null, 2)}\n`)
  write(folder, 'src/shop.js', `export const name = 'The shop'\n`)
  write(
    folder,
    'test/shop.test.js',
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { name } from '../src/shop.js'

test('the shop has a name', () => assert.equal(name, 'The shop'))
`,
  )
  await git(demo, folder, 'init', '--quiet', '--initial-branch=main')
  await commit(demo, folder, 'Name the shop')
}
