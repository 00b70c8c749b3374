import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everydayModules } from '../scripts/compile.ts'

const bound = JSON.parse(readFileSync('bench/everyday.json', 'utf8')) as { bytes: number; modules: string[] }

test('every command loads only the modules in bench/everyday.json, within their bytes', () => {
  const loaded = everydayModules()
  const came = [...loaded].filter(([path]) => !bound.modules.includes(path))
  expect(
    came.map(([path, bytes]) => `${path} (${bytes} bytes)`),
    'Every command now loads these too. Load them with `await import`, or name them in bench/everyday.json',
  ).toEqual([])
  expect(
    bound.modules.filter((path) => !loaded.has(path)),
    'No longer loaded at the start: remove them from bench/everyday.json',
  ).toEqual([])
  const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
  expect(bytes, 'bytes that every command loads').toBeLessThanOrEqual(bound.bytes)
})
