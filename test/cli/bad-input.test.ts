import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { data, executable, type Ran, type Runtime, run, runtimes } from '../support/cleo.ts'
import { madeOnce } from '../support/prepared-project.ts'
import { withTemp } from '../support/temp.ts'

type Cleo = (args: readonly string[], input?: string) => Ran

const withProject = (runtime: Runtime, work: (cleo: Cleo, root: string) => void): Promise<void> =>
  withTemp((root) => {
    const cleo: Cleo = (args, input) => run(runtime, args, { cwd: root, input })
    fill(root)
    work(cleo, root)
  })

const fill = madeOnce((root) => void data(run(executable, ['init'], { cwd: root })))

const hostile: Record<string, string> = {
  NUL: 'a\u0000b',
  'an escape sequence': 'a\u001b[31mred\u001b]0;title\u0007b',
  'a carriage return': 'a\rb',
  backspaces: 'a\b\b\bb',
  DEL: 'a\u007fb',
  C1: 'a\u009b31m\u0085b',
  'the other direction': 'a\u202eb\u2066c\u2069\u061c',
  'zero width': 'a\u200b\u200d\u2060\ufeffb',
  tags: 'a\u{e0041}\u{e007f}b',
  'line separators': 'a\u2028b\u2029c',
}
const harmful =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Returns a text as CLEO stores it: with a line end for each carriage return, and otherwise unchanged. */
const stored = (text: string): string => text.replaceAll('\r', '\n')

describe('[OUT-1] hostile text is stored as given, apart from line ends, and never printed raw', () => {
  for (const [name, text] of Object.entries(hostile)) {
    test(`${name}`, () =>
      withProject(executable, (cleo) => {
        const described = `one ${text} two\n- [ ] from ${text} here`
        const rows = [
          { key: text, title: `epic ${text} end`, type: 'epic' },
          {
            key: 'task',
            title: `task ${text} end`,
            description: described,
            parent: text,
            labels: [`l${text}l`.replaceAll(/\s/g, '')],
            files: [`src/${text}.ts`],
            acceptance: [`says ${text} once`],
          },
          { title: `waits ${text} end`, parent: text, depends: ['task'] },
        ]
        data(cleo(['add', '--batch'], JSON.stringify(rows)))
        data(cleo(['note', 'T002', '-'], `noted ${text} here`))
        data(cleo(['block', 'T002', '--reason', '-'], `because ${text} so`))
        const session = data<{ id: string }>(cleo(['session', 'start', '-'], `name ${text} end`)).id
        data(cleo(['session', 'end', session, '--note', '-'], `left ${text} here`))

        const shown = data<Record<string, unknown>>(cleo(['show', 'T002']))
        const kept = stored(text)
        expect(shown).toMatchObject({
          title: `task ${kept} end`,
          description: stored(described),
          labels: rows[1]!.labels,
          files: [`src/${kept}.ts`],
          // A criterion that stands in a description ends at the end of the line.
          acceptance: [{ text: `says ${kept} once` }, { text: `from ${kept} here`.split('\n')[0] }],
          reason: `because ${kept} so`,
          notes: [{ text: `noted ${kept} here` }],
        })
        expect(data(cleo(['session', 'status', session]))).toMatchObject({
          name: `name ${kept} end`,
          notes: [`left ${kept} here`],
        })

        const views = [
          ['show', 'T002'],
          ['list'],
          ['list', '--field', 'tasks'],
          ['show', 'T002', '--field', 'title'],
          ['find', 'task'],
          ['tree'],
          ['deps', 'T003'],
          ['log'],
          ['orchestrate', 'next'],
          ['orchestrate', 'ready'],
          ['orchestrate', 'analyze', 'T001'],
          ['orchestrate', 'analyze', 'T001', '--graph', 'text'],
          ['orchestrate', 'analyze', 'T001', '--graph', 'mermaid'],
          ['orchestrate', 'analyze', 'T001', '--graph', 'dot'],
          ['session', 'list'],
          ['session', 'status', session],
          ['session', 'resume', session],
          ['unblock', 'T002'],
          ['focus', 'set', 'T002'],
          ['focus', 'show'],
          ['complete', 'T002'],
        ]
        for (const view of views) {
          const { exit, stdout, stderr } = cleo([...view, '--human'])
          expect([exit, stdout + stderr]).toEqual([0, expect.not.stringMatching(harmful)])
        }
        expect(cleo(['list']).stdout).not.toMatch(harmful)
      }))
  }

  test('a line break in a title stays on its line', () =>
    withProject(executable, (cleo) => {
      const title = 'first\nT099 second'
      data(cleo(['add', '-', '--type', 'epic'], title))
      data(cleo(['add', '-', '--parent', 'T001'], title))
      expect(data(cleo(['show', 'T001']))).toMatchObject({ title })
      for (const view of [['list'], ['tree'], ['orchestrate', 'analyze', 'T001', '--graph', 'text']])
        expect(cleo([...view, '--human']).stdout).not.toMatch(/^\W*T099/m)
    }))

  test('refused text is quoted harmlessly, too', () =>
    withTemp((root) => {
      const text = '\u001b[31m\u202e\u200b'
      const refused = [
        [`show${text}`],
        ['show', `T${text}`],
        ['show', 'T001', `--${text}`],
        ['list', '--status', text],
        ['list', '--project', `/${text}`],
        ['list', '--format', text],
        ['list', '--as', text],
      ]
      for (const args of refused)
        for (const flag of ['--human', '--json']) {
          const { exit, stdout, stderr } = run(executable, [...args, flag], { cwd: root })
          expect(exit).toBeGreaterThan(1)
          expect((stdout + stderr).trim()).not.toMatch(harmful)
        }
    }))
})

describe('[TASK-1] limits are limits', () => {
  const refused = (ran: Ran) => {
    const { error } = JSON.parse(ran.stdout) as { error: { code: string; message: string } }
    return { exit: ran.exit, ...error }
  }

  test('a description of 10 MB is refused with the limit', () =>
    withProject(executable, (cleo) => {
      const text = 'x'.repeat(10_000_000)
      const limit = expect.stringContaining('65536')
      expect(refused(cleo(['add', 'Long', '--description', '-'], text))).toMatchObject({
        exit: 6,
        message: limit,
      })
      const rows = JSON.stringify([{ title: 'Long', description: text }])
      expect(refused(cleo(['add', '--batch'], rows))).toMatchObject({ exit: 6, message: limit })
      data(cleo(['add', 'Short', '--description', '-'], 'é'.repeat(32_768)))
      expect(refused(cleo(['update', 'T001', '--description', '-'], 'é'.repeat(32_769)))).toMatchObject({
        exit: 6,
        message: limit,
      })
      expect(data<{ tasks: unknown[] }>(cleo(['list'])).tasks).toHaveLength(1)
    }))

  test('a title is between one character and 200 that are not blank', () =>
    withProject(executable, (cleo) => {
      for (const title of ['', ' ', '\t\n ', '\u00a0', '\u3000', 'x'.repeat(201)])
        expect(refused(cleo(['add', '--batch'], JSON.stringify([{ title }]))).exit).toBe(6)
      data(cleo(['add', '--batch'], JSON.stringify([{ title: ` ${'x'.repeat(200)} ` }])))
      expect(data<{ title: string }>(cleo(['show', 'T001'])).title).toBe('x'.repeat(200))
    }))

  test('lists, labels, criteria, notes and paths too', () =>
    withProject(executable, (cleo) => {
      const many = (n: number, prefix = 'x') => Array.from({ length: n }, (_, i) => `${prefix}${i}`)
      const bad: object[] = [
        { labels: many(51) },
        { labels: ['x'.repeat(65)] },
        { labels: ['two words'] },
        { depends: many(201, 'T') },
        { acceptance: ['x'.repeat(501)] },
        { acceptance: [' '] },
        { files: ['/etc/passwd'] },
        { files: ['../outside'] },
        { title: 7 },
        { labels: 'research' },
        { priority: null },
        { __proto__: null, constructor: 'x' },
      ]
      const rows = bad.map((row) => ({ title: 'x', ...row }))
      const { exit, problems } = refused(cleo(['add', '--batch'], JSON.stringify(rows))) as never as {
        exit: number
        problems: { path: string }[]
      }
      expect(exit).toBe(6)
      const named = new Set(problems.map(({ path }) => path.split('.')[1]))
      expect([...named].map(Number).toSorted((a, b) => a - b)).toEqual([...bad.keys()])
      data(cleo(['add', 'Fine']))
      expect(refused(cleo(['note', 'T001', '-'], 'x'.repeat(16 * 1024 + 1))).exit).toBe(6)
      expect(refused(cleo(['block', 'T001', '--reason', 'x'.repeat(1001)])).exit).toBe(6)
    }))

  test('numbers stay in their range', () =>
    withProject(executable, (cleo) => {
      expect(cleo(['log', '--limit=0']).exit, 'only list takes 0, for all').toBe(6)
      for (const limit of ['-1', '1001', '1e9', '2.5', 'NaN', 'Infinity', '', '9'.repeat(400)]) {
        expect(cleo(['list', `--limit=${limit}`]).exit).toBe(6)
        expect(cleo(['log', `--after=${limit === '1001' || limit === '1e9' ? '0' : limit}`]).exit).toBe(6)
      }
      for (const id of ['0', '-1', 'T', 'T0', 'T-1', '1.5', '1e3', 'T1 ', '９', '9'.repeat(20)])
        expect([4, 6]).toContain(cleo(['show', `--id=${id}`]).exit)
    }))

  test('JSON that is not a batch is refused', () =>
    withProject(executable, (cleo) => {
      for (const text of [
        'null',
        '1',
        '"x"',
        '[1, null]',
        '[[]]',
        '{}',
        '[',
        '{',
        '\u0000',
        '{"title":"x"} {}',
      ])
        expect([2, 6]).toContain(cleo(['add', '--batch'], text).exit)
      expect(data<{ tasks: unknown[] }>(cleo(['list', '--all'])).tasks).toEqual([])
      data(cleo(['add', '--batch'], '\uFEFF{"title":"with a mark in front"}\r\n{"title":"and CRLF"}\r\n'))
    }))

  test('invalid Unicode is refused, not corrected silently', () =>
    withProject(executable, (cleo) => {
      expect(cleo(['add', '--batch'], '[{"title":"a\\ud800b"}]').exit).toBe(6)
      expect(cleo(['add', '--batch'], '[{"title":"x","description":"\\udc00"}]').exit).toBe(6)
    }))
})

describe('[TASK-6] a cycle of 1,000 is refused, and quickly', () => {
  for (const runtime of runtimes) {
    test(runtime.name, () =>
      withProject(runtime, (cleo) => {
        const chain = Array.from({ length: 1000 }, (_, i) => ({
          key: `k${i}`,
          title: `Step ${i}`,
          ...(i > 0 && { depends: [`k${i - 1}`] }),
        }))
        data(cleo(['add', '--batch'], JSON.stringify(chain)))
        const closing = cleo(['update', 'T001', '--depends', 'T1000'])
        expect(closing.exit).toBe(14)
        const { error, meta } = JSON.parse(closing.stdout) as {
          error: { message: string }
          meta: { ms: number }
        }
        expect(error.message).toMatch(/^T001 → T1000 → .* … 978 more … .* → T001 would be a cycle\.$/)
        expect(meta.ms).toBeLessThan(5000)
        const circle = chain.map((row, i) => (i === 0 ? { ...row, depends: ['k999'] } : row))
        expect(cleo(['add', '--batch'], JSON.stringify(circle)).exit).toBe(14)
        expect(data<{ depends?: string[] }>(cleo(['show', 'T001'])).depends).toBeUndefined()
      }),
    )
  }
})

describe('[OUT-1] who acts is a plain name', () => {
  test('any account name is accepted; an invalid agent name is refused with the rule', () =>
    withTemp((root) => {
      const as = (USER: string, ...args: string[]) => run(executable, args, { cwd: root, env: { USER } })
      data(as('ada', 'init'))
      for (const [USER, actor] of [
        ['Jürgen Müller', 'J-rgen-M-ller'],
        ['-x', '_x'],
        ['\u001b[31m', '_-31m'],
        ['', userInfo().username],
      ] as const) {
        data(as(USER, 'add', 'Sign-up form'))
        expect(
          data<{ entries: { actor: string }[] }>(as('ada', 'log', '--limit', '1')).entries[0]!.actor,
        ).toBe(actor)
      }
      for (const name of ['two words', '-x', '.x', 'ü', 'x'.repeat(65), 'a/b', '$(x)'])
        expect(as('ada', 'list', `--as=${name}`).exit).toBe(2)
    }))
})

const oddActors: Record<string, string> = {
  'the empty text': '',
  'a space': 'ann lee',
  'a line break': 'ann\nT002.1',
  'a long text': 'a'.repeat(10_000),
  'a flag': '--all',
  'a path': '../ann',
  'a shell command': '$(id)',
  'a spawn id in full-width digits': 'T００２.1',
}

describe('[SESS-3] a name that no actor can have is refused, from --as and from CLEO_AGENT_ID', () => {
  for (const [name, actor] of Object.entries(oddActors))
    test(name, () =>
      withProject(executable, (cleo, root) => {
        const named = cleo(['add', 'Form', `--as=${actor}`])
        expect(named.exit).toBe(2)
        expect(JSON.parse(named.stdout)).toMatchObject({
          error: { code: 'usage.invalid', problems: [{ path: '--as' }] },
        })
        if (actor === '') return
        const set = run(executable, ['add', 'Form'], { cwd: root, env: { CLEO_AGENT_ID: actor } })
        expect(set.exit).toBe(2)
        expect(JSON.parse(set.stdout)).toMatchObject({
          error: { code: 'usage.invalid', problems: [{ path: 'CLEO_AGENT_ID' }] },
        })
        expect(data(cleo(['list']))).toMatchObject({ tasks: [] })
      }),
    )
})

test('[SESS-3] every spelling of a spawn id is the same actor', () =>
  withProject(executable, (cleo) => {
    data(cleo(['add', 'Accounts', '--type', 'epic', '--description', 'all']))
    data(cleo(['add', 'Form', '--parent', 'T001', '--description', 'it']))
    expect(cleo(['note', 'T002', 'hm', '--as', '2.1']).exit, 'not spawned yet').toBe(4)
    data(cleo(['orchestrate', 'spawn', 'T002', '--ref']))
    data(cleo(['focus', 'set', 'T002', '--as', '2.1']))
    for (const spelled of ['T002.1', 't2.1', '2.01', '0002.1'])
      expect(data(cleo(['focus', 'show', '--as', spelled]))).toMatchObject({
        agent: 'T002.1',
        task: { id: 'T002' },
      })
  }))
