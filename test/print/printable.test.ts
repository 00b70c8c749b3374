import { expect, test } from 'vitest'
import { normalised } from '../../src/kernel/text.ts'
import { printable } from '../../src/print/printable.ts'

test('[TOK-11] joiners stay between letters of scripts that need them and inside emoji', () => {
  for (const text of ['می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '👩🏽‍💻', '🏳️‍🌈']) expect(printable(text)).toBe(text)
})

test('[TOK-11] other joiners are shown', () => {
  expect(printable('pass\u200dword')).toBe('pass\\u{200d}word')
  expect(printable('\u200dمی')).toBe('\\u{200d}می')
  expect(printable('a\u200b\u200c\u200db')).toBe('a\\u{200b}\\u{200c}\\u{200d}b')
  expect(printable('می\u200d\u200dخ')).toBe('می\\u{200d}\\u{200d}خ')
})

test('[TOK-11] lines end in one way, and a byte order mark goes', () => {
  expect(normalised('\ufeffone\r\ntwo\rthree\n\r\n')).toBe('one\ntwo\nthree\n\n')
  expect(normalised('\ufeff\ufeffx')).toBe('\ufeffx')
})
