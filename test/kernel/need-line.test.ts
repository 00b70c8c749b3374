import { expect, test } from 'vitest'
import { readNeed } from '../../src/kernel/need-line.ts'

test('[SKILL-10] a subagent asks for a skill, or for more of one, in one exact line', () => {
  expect(readNeed('need skill: ct-release')).toEqual({ skill: 'ct-release', level: 'L1' })
  expect(readNeed('need level: ct-release L2')).toEqual({ skill: 'ct-release', level: 'L2' })
  const others = [
    'need skill: ',
    'need skill: a b',
    'Need skill: x',
    'need skill: x\nmore',
    'need level: x L9',
    '',
    'need level: x',
  ]
  expect(others.filter(readNeed)).toEqual([])
})
