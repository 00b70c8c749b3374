import { expect, test } from 'vitest'
import { breachSentence } from '../../src/receive/breach.ts'

test('[TREE-5] the next attempt is told where the commits of an attempt that could not be merged are', () => {
  for (const code of ['merge.conflict T002\nsrc/cart.ts', 'merge.red npm test\n1 failed']) {
    const { breach, quoted } = breachSentence(code, 'T003')!
    expect(breach).toContain("`git log -p --glob='refs/cleo/attempts/T003.*' --not HEAD`")
    expect(quoted).toBe(code.split('\n')[1])
  }
})
