import { expect, test } from 'vitest'
import { totalUsage } from '../../src/run/run-usage.ts'

const used = { tokens: 100, cost: 1 }

test('[RUN-5] processes of one spawn are added up, unless the client counts its whole session', () => {
  const counted = { input: 120, output: 30, cost: 1.5 }
  expect(totalUsage({ ...used, isContinued: false }, counted, {})).toEqual({ tokens: 250, cost: 2.5 })
  expect(totalUsage({ ...used, isContinued: true }, counted, {})).toEqual({ tokens: 250, cost: 2.5 })
  const ofSession = { ...counted, ofSession: true } as const
  expect(totalUsage({ ...used, isContinued: true }, ofSession, {})).toEqual({ tokens: 150, cost: 1.5 })
  expect(totalUsage({ ...used, isContinued: false }, ofSession, {})).toEqual({ tokens: 250, cost: 2.5 })
  expect(totalUsage({ ...used, isContinued: true }, {}, {})).toEqual(used)
})

test('[RUN-5] tokens without a reported cost are charged by the price table', () => {
  const price = { input: 2, output: 10 }
  const counted = { input: 1_000_000, output: 100_000 }
  expect(totalUsage({ ...used, isContinued: false }, counted, { price })).toEqual({
    tokens: 1_100_100,
    cost: 4,
  })
})
