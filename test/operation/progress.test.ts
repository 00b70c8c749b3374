import { expect, test } from 'vitest'
import type { Progress } from '../../src/kernel/progress.ts'
import { progressLine } from '../../src/terminal/progress-line.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'
import { withProject } from '../support/project.ts'
import { addTask, repository, send } from '../support/subagent.ts'
import { exported, plant } from '../support/transfer.ts'

test('[OUT-1] an operation tells its caller which command runs and what it printed last', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project)
    const { as } = await send(project, 'T002')
    const heard: Progress[] = []
    const progress = (now: Progress) => void heard.push(now)
    const evidence = 'tool:test'
    await as.call('verify.gate', { id: 'T002', gate: 'testsPassed', evidence }, { progress })
    expect(heard[0]).toMatchObject({ what: 'make test', elapsedMs: expect.any(Number) })
    expect(heard.at(-1)).toMatchObject({ what: 'make test', line: '1 passed' })
  }))

test('[OUT-1] an import tells how many of all records are done', () =>
  withProject(async (project) => {
    await plant(project)
    const file = await exported(project)
    await withProject(async (copy) => {
      const heard: Progress[] = []
      const progress = (now: Progress) => void heard.push(now)
      expect(await copy.call('admin.import', { file }, { progress })).toMatchObject({ ok: true })
      const { count, total } = heard.at(-1)!
      expect(heard[0]).toMatchObject({ what: 'importing', count: 0, total })
      expect(count).toBeGreaterThan(3)
      expect(count).toBeLessThanOrEqual(total!)
    })
  }))

const drawn = (isErrorTerminal: boolean) => {
  const printed: string[] = []
  const clock = { now: 0 }
  const err = (text: string) => void printed.push(text)
  const terminal = { err, isErrorTerminal, width: 24 } as Terminal
  const line = progressLine(terminal, () => clock.now)
  const at = (ms: number, more: Partial<Progress> = {}) => {
    clock.now = ms
    line.show({ what: 'npm test', elapsedMs: ms, ...more })
  }
  return { at, end: line.end, text: () => printed.join('') }
}

test('[OUT-1] at a terminal one line is rewritten after a second, cut to the width, and removed', () => {
  const { at, end, text } = drawn(true)
  at(900)
  expect(text()).toBe('')
  at(1500, { line: 'a line that is much too long\u001b[2J' })
  expect(text()).toBe('\rnpm test · 1 s · a line')
  at(1600)
  at(3000, { count: 3, total: 9 })
  expect(text().split('\r').at(-1)).toBe('npm test · 3 s · 3 of 9')
  end()
  expect(text().endsWith(`\r${' '.repeat(23)}\r`)).toBe(true)
})

test('[OUT-1] in a pipe short work says nothing, and long work few lines', () => {
  const { at, end, text } = drawn(false)
  for (let ms = 0; ms < 10_000; ms += 500) at(ms)
  expect(text()).toBe('')
  for (let ms = 10_000; ms <= 120_000; ms += 500) at(ms, { line: 'ok' })
  end()
  const seconds = text()
    .trim()
    .split('\n')
    .map((line) => line.split(' · ')[1])
  expect(seconds).toEqual(['10 s', '30 s', '70 s'])
})
