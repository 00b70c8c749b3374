import Tokenizer from 'ai-tokenizer'
import * as claude from 'ai-tokenizer/encoding/claude'
import { expect, test } from 'vitest'
import { estimate, margin } from '../../../src/prompt/budget/estimate.ts'
import { estimateMeasure, exactMeasure, factors, loadTokenizer } from '../../../src/prompt/budget/measure.ts'
import { corpus } from './corpus.ts'

const exact = await loadTokenizer()
const text = corpus[0]!.text
const tokens = estimate(text)

test('[BUDG-2] the estimator is sure of what fits with the margin, and unsure within it', () => {
  const measure = estimateMeasure()
  expect(measure).toMatchObject({ counter: 'estimate' })
  expect(measure.count(text)).toBe(tokens)
  expect(measure.fits(text, Math.ceil(tokens * (1 + margin)))).toBe('yes')
  expect(measure.fits(text, Math.ceil(tokens * (1 + margin)) - 1)).toBe('unsure')
  expect(measure.fits(text, tokens)).toBe('unsure')
  expect(measure.fits(text, Math.floor(tokens / 2))).toBe('no')
})

test('[BUDG-2] it says no only where the tokenizer would', () => {
  for (const { text } of corpus.slice(0, 100)) {
    const tokens = exact(text)
    expect(estimateMeasure().fits(text, tokens)).not.toBe('no')
    expect(estimateMeasure().fits(text, tokens - 1)).not.toBe('yes')
  }
})

test('[BUDG-2] the exact count is never unsure', () => {
  const measure = exactMeasure(exact)
  expect(measure.counter).toBe('exact')
  expect(measure.fits(text, exact(text))).toBe('yes')
  expect(measure.fits(text, exact(text) - 1)).toBe('no')
})

test('[BUDG-2] other families of models count more', () => {
  expect(exactMeasure(() => 100, 'claude').count('')).toBe(125)
  expect(exactMeasure(() => 100, 'gemini').count('')).toBe(115)
  expect(estimateMeasure('claude').count(text)).toBe(Math.ceil(tokens * 1.25))
  expect(estimateMeasure('claude').fits(text, Math.ceil(tokens * (1 + margin)))).not.toBe('yes')
})

test('[BUDG-2] Claude’s factor is above nineteen files in twenty', () => {
  const tokenizer = new Tokenizer(claude)
  const ratios = corpus.map(({ text }) => (1.1 * tokenizer.count(text)) / exact(text)).sort((a, b) => a - b)
  expect(ratios[Math.floor(ratios.length * 0.95)]).toBeLessThan(factors.claude + 0.02)
  expect(ratios[ratios.length >> 1]).toBeLessThan(factors.claude)
  expect(ratios[ratios.length >> 1]).toBeGreaterThan(1.1)
})

test('[BUDG-2] text in another script than Latin is left to the tokenizer', () => {
  const chinese = '先写一个会失败的测试，然后修改代码。'.repeat(20)
  expect(estimateMeasure().fits(chinese, 100_000)).toBe('unsure')
  expect(estimateMeasure().fits(chinese, 10)).toBe('no')
  expect(
    estimateMeasure().fits(`${'An English sentence. '.repeat(100)}${chinese.slice(0, 100)}`, 100_000),
  ).toBe('yes')
})
