import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { loadTokenizer } from '../../../src/prompt/budget/measure.ts'
import { corpus } from './corpus.ts'
import { oddText, shapeNames } from './odd-texts.ts'

const exact = await loadTokenizer()
const direct = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

test('[BUDG-2] the exact count of prose and code is the tokenizer’s', () => {
  expect(corpus.filter(({ text }) => exact(text) !== direct(text))).toEqual([])
})

test('[BUDG-2] where it has to cut a long word it is never too low and hardly too high', () => {
  for (const shape of shapeNames)
    for (let seed = 20; seed < 24; seed++) {
      const text = oddText(shape, seed)
      const cuts = Math.ceil(text.length / 400)
      expect(exact(text), shape).toBeGreaterThanOrEqual(direct(text))
      expect(exact(text), shape).toBeLessThanOrEqual(direct(text) + 3 * cuts)
    }
})

test('[BUDG-2] what looks like a special token is text', () => {
  expect(exact('<|endoftext|>')).toBe(direct('<|endoftext|>'))
  expect(exact('<|endoftext|>')).toBeGreaterThan(1)
})

test('[BUDG-2] a megabyte of one letter is counted', () => {
  const tokens = exact('a'.repeat(1 << 20))
  expect(tokens).toBeGreaterThanOrEqual((1 << 20) / 8)
  expect(tokens).toBeLessThan(((1 << 20) / 8) * 1.05)
})
