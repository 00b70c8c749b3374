import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Theatre } from './theatre.ts'

export const write = ({ folder }: Theatre, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const author = ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid']

const git = ({ run }: Theatre, ...args: string[]): string => run(['git', ...author, ...args]).trim()

/** Answers the commit. */
export const commit = (theatre: Theatre, subject: string, task?: string): string => {
  git(theatre, 'add', '--all')
  git(theatre, 'commit', '--quiet', '--message', subject, ...(task ? ['--message', `Task: ${task}`] : []))
  return git(theatre, 'rev-parse', 'HEAD')
}

/** A project in which somebody has written down what prices look like, and nobody has built it. */
export const openShop = (theatre: Theatre): void => {
  mkdirSync(theatre.folder)
  write(
    theatre,
    'package.json',
    `${JSON.stringify({ name: 'shop', type: 'module', private: true, scripts: { test: 'node --test --test-reporter=tap' } }, null, 2)}\n`,
  )
  write(
    theatre,
    'test/price.test.js',
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.js'

test('cents are shown as euros', () => assert.equal(price(1250), '12.50 €'))
test('what is no whole number of cents is refused', () => assert.throws(() => price(0.5)))
`,
  )
  git(theatre, 'init', '--quiet', '--initial-branch=main')
  commit(theatre, 'Say what prices look like')
}
