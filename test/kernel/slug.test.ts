import { expect, test } from 'vitest'
import { slugOf } from '../../src/kernel/slug.ts'
import fc from '../support/properties.ts'

test.each([
  ['Sign-up form', 'sign-up-form'],
  ['Größe & Façade!', 'gro-e-facade'],
  ['  --  ', 'task'],
  ['日本語', 'task'],
  ['a'.repeat(80), 'a'.repeat(48)],
])('[TOK-2] the slug of %j', (title, slug) => expect(slugOf(title)).toBe(slug))

test('[TOK-2] a slug is a plain file name whatever the title', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      expect(slugOf(title)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }),
  )
})
