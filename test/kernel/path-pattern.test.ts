import { expect, test } from 'vitest'
import { pathMatcher } from '../../src/kernel/path-pattern.ts'
import { cpuTime } from '../support/cpu-time.ts'

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['./src/a.ts', 'src/a.ts', true],
  ['src', 'src/a/b.ts', true],
  ['src/', 'src/a.ts', true],
  ['src', 'srcx/a.ts', false],
  ['src/a.ts', 'src', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/a.tsx', false],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/*.snap', 'a.snap', true],
  ['**/node_modules', 'a/node_modules/b/c.js', true],
  ['src/**', 'src/a', true],
  ['src/{a,b}.ts', 'src/b.ts', true],
  ['src/{a,b}/{c,d}.ts', 'src/b/c.ts', true],
  ['src/{a,b}.ts', 'src/c.ts', false],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ['src/?.ts', 'src/a.ts', true],
  ['src/a*b*c', 'src/axxbxxc', true],
  ['', 'a', false],
  ['/', 'a', false],
])('[TASK-1] the pattern %j and the path %j: %j', (pattern, path, expected) => {
  expect(pathMatcher([pattern])(path)).toBe(expected)
})

test('[GATE-3] a hostile pattern takes no time', () => {
  const matches = pathMatcher([`${'*a'.repeat(200)}b`, `${'**/'.repeat(200)}x`, '{a,b}'.repeat(20)])
  const spent = cpuTime(() => {
    expect(matches(`${'a'.repeat(500)}/${'b/'.repeat(200)}`)).toBe(false)
  })
  expect(spent).toBeLessThan(500)
})
