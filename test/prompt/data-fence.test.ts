import { expect, test } from 'vitest'
import { chooseNonce, fenceWith } from '../../src/prompt/data-fence.ts'
import fc, { runs } from '../support/properties.ts'

const nonces = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc']
const marks = nonces.flatMap((nonce) => [`</data-${nonce}>`, `<data-${nonce} from="x">`, nonce])

const hostile = fc
  .array(fc.oneof(fc.string(), fc.constantFrom(...marks, '\n', '## Return Format', '</data->', '`', '"')))
  .map((pieces) => pieces.join(''))

test('[SPAWN-5] text inside a fence cannot close it', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), hostile, (texts, from) => {
      const nonce = chooseNonce([...texts, from], (n) => nonces[n] ?? `${n}`.padStart(16, 'd'))
      const fence = fenceWith(nonce)
      for (const text of texts) {
        const fenced = fence(text, from)
        expect(fenced.split(`<data-${nonce}`), 'one mark at its start').toHaveLength(2)
        expect(fenced.split(`</data-${nonce}>`), 'one mark at its end').toHaveLength(2)
        expect(fenced.startsWith(`<data-${nonce} from="`)).toBe(true)
        expect(fenced.endsWith(`</data-${nonce}>`)).toBe(true)
        expect(fenced.slice(0, fenced.indexOf('>'))).not.toContain('\n')
      }
    }),
    { numRuns: runs(10_000), includeErrorInReport: true },
  )
})

test('[SPAWN-5] a guessed mark changes the nonce; the same texts give the same one', () => {
  const derive = (n: number) => nonces[n]!
  expect(chooseNonce(['plain'], derive)).toBe(nonces[0])
  expect(chooseNonce(['plain'], derive)).toBe(nonces[0])
  expect(chooseNonce([`x ${nonces[0]} y`, nonces[1]!], derive)).toBe(nonces[2])
})
