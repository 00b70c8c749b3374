import { describe, expect, test } from 'vitest'
import { findTimeEstimate, shortTimeWarning } from '../../src/kernel/time-estimates.ts'
import { isEstimate } from '../../src/operation/estimates.ts'

describe('[TASK-5] text that promises a duration of work', () => {
  const promises = [
    'This should take about 3 days.',
    'Takes two weeks',
    'Estimate: 5 hours',
    'It needs roughly a week to finish',
    'A 2-day task',
    '3 hours of work',
    'We will be done in 2 sprints',
    'can be finished within 4-6 hours',
    'ETA: 3 days',
    'about half a day of effort',
  ]
  for (const text of promises) test(`is noticed: ${text}`, () => expect(findTimeEstimate(text)).toBeDefined())
})

describe('[TASK-5] other lengths of time', () => {
  const harmless = [
    'Set the timeout to 30 minutes',
    'Cache entries for 2 days',
    'Tokens expire after 24 hours',
    'Sessions older than 90 days are deleted',
    'Retry in 5 minutes with backoff',
    'The nightly report covers the last 7 days',
    'Poll every 10 minutes',
    'Show the 24 hours view',
    'A lease lasts 15 minutes',
    'Support trial periods of 2 weeks',
  ]
  for (const text of harmless)
    test(`are left alone: ${text}`, () => expect(findTimeEstimate(text)).toBeUndefined())
})

describe('[TASK-5] a title that ends in a length of time', () => {
  const promises: [title: string, words: string][] = [
    ['Quick fix, 2 hours', '2 hours'],
    ['Quick fix (2h)', '2h'],
    ['Sign-up form - 3 days', '3 days'],
    ['Sign-up form [~1.5 d]', '~1.5 d'],
    ['Invoices, about a week', 'about a week'],
    ['Parser; 30 min max', '30 min max'],
    ['Takes two weeks', 'Takes two weeks'],
    ['Refactor the parser ~2 days', '~2 days'],
    ['2-hour fix for login', '2-hour fix'],
    ['about 2 hours left', '2 hours left'],
  ]
  test.each(promises)('promises: %s', (title, words) =>
    expect(shortTimeWarning('title', title)).toEqual([
      `title promises a duration ("${words}"); describe scope and size instead`,
    ]),
  )
  const harmless = [
    'Keep sessions for 7 days',
    'Set a timeout of 2 hours',
    'Report of the last 7 days',
    'Cache answers (2 hours)',
    'Session timeout, 30 minutes',
    'Support ISO weeks',
    'Part 2 (draft)',
    'Add a method',
    'Upgrade to H2, then 3D',
  ]
  test.each(harmless)('does not: %s', (title) => expect(shortTimeWarning('title', title)).toEqual([]))
})

test('[TASK-5] flags and fields that ask for a time are known as such', () => {
  for (const name of [
    'estimate',
    '--hours',
    'due',
    'due-date',
    'dueDate',
    'deadline',
    'eta',
    'days',
    'duration',
  ]) {
    expect(isEstimate(name)).toBe(true)
  }
  for (const name of ['size', 'title', 'depends', 'dues', 'overdue', 'timeout'])
    expect(isEstimate(name)).toBe(false)
})
