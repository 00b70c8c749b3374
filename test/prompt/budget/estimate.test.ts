import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { filterSource } from '../../../bench/estimator.ts'
import { bounds, estimate, margin } from '../../../src/prompt/budget/estimate.ts'
import { loadTokenizer } from '../../../src/prompt/budget/measure.ts'
import { corpus } from './corpus.ts'
import { oddText, shapeNames } from './odd-texts.ts'

let exact: (text: string) => number
beforeAll(async () => {
  exact = await loadTokenizer()
})

const average = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

test('[BUDG-2] prose and code are estimated to 3 % on average and 12 % at worst', () => {
  const errors = corpus.map(({ file, text }) => ({ file, error: estimate(text) / exact(text) - 1 }))
  expect(errors.length).toBeGreaterThan(300)
  expect(errors.filter(({ error }) => Math.abs(error) > 0.12)).toEqual([])
  expect(average(errors.map(({ error }) => Math.abs(error)))).toBeLessThan(0.03)
})

test('[BUDG-2] so is any stretch of five hundred characters, with the margin', () => {
  const stretches = corpus.flatMap(({ text }) =>
    Array.from({ length: Math.floor(text.length / 2000) }, (_, i) => text.slice(i * 2000, i * 2000 + 500)),
  )
  const errors = stretches.map((text) => estimate(text) / exact(text) - 1)
  expect(errors.length).toBeGreaterThan(500)
  expect(Math.min(...errors)).toBeGreaterThan(1 / (1 + margin) - 1)
  expect(average(errors.map(Math.abs))).toBeLessThan(0.04)
})

describe('[BUDG-2] odd text never has more tokens than the estimate and its margin', () => {
  test.each(shapeNames)('%s', (shape) => {
    for (let seed = 0; seed < 8; seed++) {
      const text = oddText(shape, seed)
      const { least, likely } = bounds(text)
      const tokens = exact(text)
      expect(tokens, `seed ${seed}`).toBeLessThanOrEqual(likely * (1 + margin))
      expect(least, `seed ${seed}`).toBeLessThanOrEqual(tokens)
    }
  })
})

test('[BUDG-2] without the margin some would have', () => {
  const over = shapeNames.filter((shape) => exact(oddText(shape, 1)) > estimate(oddText(shape, 1)))
  expect(over.length).toBeGreaterThan(3)
})

test.each([
  ['', 0],
  ['a', 1],
  ['Hello, world!', 4],
  ["it's 12345 there", 5],
  ['    return { ok: true }\n', 7],
])('[BUDG-2] %j has %i tokens', (text, tokens) => {
  expect(estimate(text)).toBe(tokens)
  expect(exact(text)).toBe(tokens)
})

test('[BUDG-2] a megabyte of anything is counted', () => {
  for (const shape of ['a', ' ', '\n', '=', '{{', '字', '\ud800', 'aB1', '\u0301'])
    expect(estimate(shape.repeat((1 << 20) / shape.length))).toBeGreaterThan(10_000)
})

test('[BUDG-2] the filter is made of the vocabulary', async () => {
  const file = join(import.meta.dirname, '../../../src/prompt/budget/generated/filter.ts')
  expect((await filterSource()) === readFileSync(file, 'utf8')).toBe(true)
})
