import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { data, executable, type Ran, run, runtimes, start } from '../support/cleo.ts'
import { fed, forEver } from '../support/fed-command.ts'
import { madeOnce } from '../support/prepared-project.ts'
import { withTemp } from '../support/temp.ts'

interface Refusal {
  code: string
  exit: number
  message: string
  problems: { path: string; message: string }[]
  moreProblems?: number
}

const refusal = ({ exit, stdout }: Ran): Refusal => {
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Refusal }
  expect([success, error.exit]).toEqual([false, exit])
  return error
}

const withShop = (work: (shop: string) => Promise<void> | void): Promise<void> =>
  withTemp(async (shop) => {
    fill(shop)
    await work(shop)
  })

const fill = madeOnce((shop) => {
  data(run(executable, ['init'], { cwd: shop }))
  data(run(executable, ['add', 'Sign-up form'], { cwd: shop }))
})

const count = (shop: string) =>
  data<{ tasks: unknown[] }>(run(executable, ['list', '--limit', '1000'], { cwd: shop })).tasks.length

// Each command must end within this many seconds, even on a busy machine. Without CLEO's limits, none of these
// commands would ever end.
const patience = 60

describe('[PROJ-10] standard input is read up to its limit and no further', () => {
  const small: [string[], string][] = [
    [['add', 'x', '--description', '-'], '65536 bytes'],
    [['add', '-'], '200 characters'],
    [['note', 'T001', '-'], '16384 bytes'],
    [['block', 'T001', '--reason', '-'], '1000 characters'],
    [['memory', 'observe', '-'], '16384 bytes'],
    [['session', 'start', '-'], '200 characters'],
    [['manifest', 'append', '-', '--task', 'T001'], '262144 bytes'],
    [['orchestrate', 'receive', 'T001', '--message', '-'], '1048576 bytes'],
    [['inbox', 'answer', 'T001', '--text', '-'], '3000 characters'],
    [['verify', 'T001', '--gate', 'implemented', '--evidence', '-'], '16384 characters'],
    [['show', '-'], '4096 bytes'],
  ]
  for (const runtime of runtimes) {
    test(`a pipe that never ends is refused at once, whatever reads it (${runtime.name})`, () =>
      withShop(async (shop) => {
        const usual = await fed(runtime, ['list'], shop, [''])
        for (const [args, limit] of small) {
          const ran = await fed(runtime, args, shop, forEver('y\n'.repeat(4096)))
          const { exit, message } = refusal(ran)
          expect([args.join(' '), exit]).toEqual([args.join(' '), 6])
          expect(message).toContain(`is limited to ${limit}`)
          expect(ran.seconds).toBeLessThan(patience)
          if (ran.megabytes && usual.megabytes)
            expect(ran.megabytes, args.join(' ')).toBeLessThan(usual.megabytes + 100)
        }
        expect(count(shop)).toBe(1)
      }))

    test(`so are rows, written as --batch or --batch - (${runtime.name})`, () =>
      withShop(async (shop) => {
        for (const args of [
          ['add', '--batch', '-'],
          ['add', '--batch'],
        ]) {
          const ran = await fed(runtime, args, shop, forEver('{"title":"x"}\n'.repeat(4096)))
          expect(refusal(ran)).toMatchObject({ exit: 6, message: expect.stringContaining('33554432 bytes') })
          expect(ran.seconds).toBeLessThan(patience)
          if (ran.megabytes) expect(ran.megabytes).toBeLessThan(400)
        }
        expect(count(shop)).toBe(1)
      }))
  }

  test('an import too, by pipe and by file', () =>
    withShop(async (shop) => {
      const ran = await fed(executable, ['import', '-'], shop, forEver('{"record":"task"}\n'.repeat(50_000)))
      expect(refusal(ran)).toMatchObject({ exit: 6, message: expect.stringContaining('268435456 bytes') })
      const file = join(shop, 'large.jsonl')
      writeFileSync(file, '')
      truncateSync(file, 300 * 1024 * 1024)
      expect(refusal(run(executable, ['import', file], { cwd: shop }))).toMatchObject({
        exit: 6,
        message: 'file is limited to 268435456 bytes',
      })
    }))

  test('what ends within the limit is taken, and only one flag reads it', () =>
    withShop(async (shop) => {
      const text = 'é'.repeat(32_768)
      data(await fed(executable, ['update', 'T001', '--description', '-'], shop, [`${text}\n`]))
      const shown = data<{ description: string }>(run(executable, ['show', 'T001'], { cwd: shop }))
      expect(shown.description).toBe(text)
      expect(
        refusal(run(executable, ['add', '-', '--description', '-'], { cwd: shop, input: 'x' })),
      ).toMatchObject({ exit: 2, message: '--description cannot read standard input: --title already does' })
      const closed = spawnSync('sh', ['-c', `${executable.command[0]} note T001 - <&-`], {
        cwd: shop,
        encoding: 'utf8',
      })
      // The exit is 2, or 6 if Bun opens an empty standard input in place of the closed one.
      expect([2, 6]).toContain(closed.status)
      expect(closed.stderr).not.toMatch(/\n\s+at /)
    }))
})

describe('[PROJ-10] a hostile batch is refused before it costs anything', () => {
  const rows = (n: number, row: string) => `[${Array.from({ length: n }, () => row).join(',')}]`
  const fields = ['title', 'priority', 'size', 'labels', 'files', 'stage', 'type', 'description']
  const cases: [string, () => string, string][] = [
    [
      '120,000 dependencies in one row',
      () => JSON.stringify([{ title: 'x', depends: Array.from({ length: 120_000 }, (_, i) => `T${i + 1}`) }]),
      'batch.0.depends is limited to 200 dependencies',
    ],
    [
      'many dependencies in all rows together',
      () =>
        JSON.stringify(
          Array.from({ length: 2700 }, (_, i) => ({
            title: 'x',
            key: `k${i}`,
            depends: Array.from({ length: Math.min(i, 200) }, (_, j) => `k${i - j - 1}`),
          })),
        ),
      'the lists of the rows have 519900 items; the limit of all rows together is 500000',
    ],
    ['arrays inside each other', () => '['.repeat(5_000_000), 'nested more than 100 levels'],
    ['objects inside each other', () => '{"title":'.repeat(1_000_000), 'nested more than 100 levels'],
    ['ten million rows in an array', () => rows(10_000_000, '{}'), 'is limited to 100000 rows'],
    ['ten million lines', () => '{}\n'.repeat(10_000_000), 'is limited to 100000 rows'],
    [
      'a row with a million unknown fields',
      () => JSON.stringify([Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [`k${i}`, 1]))]),
      'The input has 1000001 problems.',
    ],
    [
      'every field of every row is wrong',
      () => rows(50_000, JSON.stringify(Object.fromEntries(fields.map((field) => [field, 1])))),
      'The input has 400000 problems.',
    ],
    [
      'many check boxes in all descriptions together',
      () => {
        const boxes = Array.from({ length: 99 }, (_, i) => `- [ ] ${i}`).join('\n')
        return rows(6000, JSON.stringify({ title: 'x', description: boxes }))
      },
      'the descriptions have 594000 criteria; the limit of all rows together is 500000',
    ],
    [
      'too many check boxes in one description',
      () =>
        JSON.stringify([
          { title: 'x', description: Array.from({ length: 101 }, (_, i) => `- [ ] ${i}`).join('\n') },
        ]),
      'acceptance: would have 101 items, with the check boxes in the description; the limit is 100',
    ],
  ]
  for (const [name, input, message] of cases) {
    test(name, () =>
      withShop(async (shop) => {
        const ran = await fed(executable, ['add', '--batch'], shop, [input()])
        const refused = refusal(ran)
        expect(refused.exit).toBe(6)
        expect(refused.message).toContain(message)
        expect(refused.problems.length).toBeLessThanOrEqual(50)
        expect(ran.stdout.length).toBeLessThan(20_000)
        expect(ran.seconds).toBeLessThan(patience)
        if (ran.megabytes) expect(ran.megabytes).toBeLessThan(700)
        expect(count(shop)).toBe(1)
      }),
    )
  }

  test('eight writers go on meanwhile', () =>
    withShop(async (shop) => {
      const hostile = cases[0]![1]()
      const lines = `{"cleo":"export","version":1}\n${'{"record":"task"}\n'.repeat(100_000)}`
      const entry = JSON.stringify({ status: 'complete', key_findings: ['x'.repeat(300_000)] })
      const attack = (args: string[], input: string) => fed(executable, args, shop, [input])
      const attacks = [
        attack(['add', '--batch'], hostile),
        attack(['import', '-'], lines),
        attack(['manifest', 'append', '-', '--task', 'T001'], entry),
      ]
      const writers = Array.from({ length: 8 }, (_, i) =>
        start(executable, ['add', `Writer ${i}`], { cwd: shop }),
      )
      for (const { exit } of await Promise.all(writers)) expect(exit).toBe(0)
      for (const { exit } of await Promise.all(attacks)) expect(exit).toBe(6)
      expect(count(shop)).toBe(9)
    }))
})

test('[PROJ-10] [TASK-10] the hooks of a batch run eight at a time', () =>
  withShop((shop) => {
    const script =
      '#!/bin/sh\nmkdir -p running\n: > running/$$\nls running | wc -l >> counts\nsleep 0.05\nrm running/$$\n'
    writeFileSync(join(shop, 'count.sh'), script, { mode: 0o755 })
    writeFileSync(join(shop, '.cleo/config.json'), '{"hooks": {"task.added": [["./count.sh"]]}}')
    data(run(executable, ['trust', '--yes'], { cwd: shop }))
    const input = JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ title: `Task ${i}` })))
    data(run(executable, ['add', '--batch'], { cwd: shop, input }))
    const counts = readFileSync(join(shop, 'counts'), 'utf8').trim().split('\n').map(Number)
    expect(counts).toHaveLength(40)
    expect(Math.max(...counts)).toBeLessThanOrEqual(8)
  }))

describe('[PROJ-10] [OUT-2] an answer shows the first problems and counts the others', () => {
  test('of a bad import, as JSON and as text', () =>
    withShop((shop) => {
      const bad = `{"cleo":"export","version":1}\n${'{"record":"tusk"}\n'.repeat(70_000)}`
      const ran = run(executable, ['import', '-'], { cwd: shop, input: bad })
      const { exit, message, problems, moreProblems } = refusal(ran)
      expect([exit, message]).toEqual([6, 'Nothing was imported: the input has 70000 problems.'])
      expect([problems.length, moreProblems]).toEqual([50, 69_950])
      const shown = run(executable, ['import', '-', '--human'], { cwd: shop, input: bad })
      expect(shown.stderr.split('\n').length).toBeLessThan(60)
      expect(shown.stderr).toContain('  and 69950 more\n')
      const endless = `{"cleo":"export","version":1}\n${'x\n'.repeat(2_000_000)}`
      expect(refusal(run(executable, ['import', '-'], { cwd: shop, input: endless })).message).toBe(
        'Nothing was imported: the first 100001 lines of the input have 100000 problems.',
      )
    }))

  test('a word of 120,000 characters is not repeated', () =>
    withShop((shop) => {
      const word = 'x'.repeat(120_000)
      for (const args of [[word], ['list', word], ['list', `--${word}`], ['list', '--status', word]])
        expect(run(executable, args, { cwd: shop }).stdout.length).toBeLessThan(20_000)
    }))

  test('a batch below an epic that waits on much lists the first of it, and warns a bounded number of times', () =>
    withShop((shop) => {
      const needs = Array.from({ length: 30 }, (_, i) => ({ title: 'x', key: `d${i}` }))
      const epic = { title: 'e', key: 'e', type: 'epic', depends: needs.map(({ key }) => key) }
      const children = Array.from({ length: 200 }, () => ({
        title: 'c',
        parent: 'e',
        depends: ['d0'],
        description: 'Takes 3 days.',
      }))
      const input = JSON.stringify([...needs, epic, ...children])
      const ran = run(executable, ['add', '--batch'], { cwd: shop, input })
      const { added } = data<{ added: { waitsOn?: string[]; waitsOnMore?: number }[] }>(ran)
      expect(added.at(-1)).toMatchObject({ waitsOn: { length: 20 }, waitsOnMore: 10 })
      const { meta } = JSON.parse(ran.stdout) as { meta: { warnings: string[] } }
      expect(meta.warnings).toHaveLength(51)
      // Each child gets a warning, because its description has an estimate. One more warning is about all tasks
      // that `spawn` would refuse.
      expect(meta.warnings.at(-1)).toBe(`and ${200 + 1 - 50} more warnings`)
    }))
})

describe('[PROJ-10] [OUT-3] an answer that cannot be written is reported, without a stack', () => {
  for (const runtime of runtimes) {
    test(runtime.name, ({ skip }) =>
      withShop((shop) => {
        if (!existsSync('/dev/full')) skip('there is no /dev/full here')
        const [program, ...first] = runtime.command
        const full = openSync('/dev/full', 'w')
        try {
          for (const [args, exit] of [
            [['list'], 3],
            [['list', '--human'], 3],
            [['show', 'T999', '--json'], 4],
          ] as const) {
            const { status, stderr } = spawnSync(program, [...first, ...args], {
              cwd: shop,
              env: { PATH: process.env['PATH'], HOME: join(shop, '.home'), USER: 'ada' },
              stdio: ['ignore', full, 'pipe'],
              encoding: 'utf8',
            })
            expect([status, stderr]).toEqual([
              exit,
              expect.stringMatching(/^Cannot write the answer: the disk is full\..*\n$/),
            ])
          }
        } finally {
          closeSync(full)
        }
      }),
    )
  }
})
