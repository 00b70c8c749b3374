import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { styleFor } from '../../src/terminal/terminal.ts'
import { data, executable, type Runtime, run, runtimes } from '../support/cleo.ts'
import { madeOnce } from '../support/prepared-project.ts'
import { withTemp } from '../support/temp.ts'

const environment = (root: string) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: `${root}/.home`,
  USER: 'ada',
})

/** A project whose audit log is more than 5 MB of JSON. */
const withLog = (work: (root: string) => Promise<void>): Promise<void> =>
  withTemp(async (root) => {
    fill(root)
    await work(root)
  })

const fill = madeOnce((root) => {
  data(run(executable, ['init'], { cwd: root }))
  const rows = Array.from({ length: 90 }, (_, i) => ({
    title: `Task ${i}`,
    description: 'é…x'.repeat(10_000),
  }))
  data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(rows) }))
})

const spawned = ({ command }: Runtime, args: string[], root: string) => {
  const [program, ...first] = command
  const child = spawn(program, [...first, ...args], { cwd: root, env: environment(root) })
  const ended = new Promise<number | string>((done) =>
    child.on('close', (exit, signal) => done(exit ?? signal ?? '')),
  )
  return { child, ended }
}

describe('[OUT-1] a pipe gets all of it', () => {
  for (const runtime of runtimes) {
    test(`5 MB through one that is read slowly (${runtime.name})`, () =>
      withLog(async (root) => {
        const { child, ended } = spawned(runtime, ['log', '--limit', '100', '--json'], root)
        const chunks: Buffer[] = []
        for await (const chunk of child.stdout) {
          chunks.push(chunk as Buffer)
          await new Promise((resolve) => setTimeout(resolve, 3))
        }
        expect(await ended).toBe(0)
        const text = Buffer.concat(chunks).toString('utf8')
        expect(text.length).toBeGreaterThan(2_500_000)
        expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000)
        expect((JSON.parse(text) as { data: { entries: unknown[] } }).data.entries).toHaveLength(90)
      }))

    test(`a reader that closes the pipe is not an error (${runtime.name})`, () =>
      withLog(async (root) => {
        const { child, ended } = spawned(runtime, ['log', '--limit', '100', '--json'], root)
        let complaint = ''
        child.stderr.on('data', (chunk: Buffer) => {
          complaint += chunk.toString()
        })
        child.stdout.once('data', () => child.stdout.destroy())
        expect([await ended, complaint]).toEqual([0, ''])
      }))

    test(`answers on standard output, warnings and refusals on standard error (${runtime.name})`, () =>
      withTemp((root) => {
        const cleo = (...args: string[]) => run(runtime, args, { cwd: root, env: { CLEO_FORMAT: '' } })
        cleo('init')
        const promise = ['add', 'Parser', '--description', 'Takes 3 days.']
        expect(cleo(...promise)).toMatchObject({
          stdout: 'T001 Parser  task\n',
          stderr: expect.stringMatching(
            /^warning: description promises a duration .*\nwarning: a spawn would refuse T001: in no epic; fix: cleo update T001 --parent <epic>\n$/,
          ),
        })
        expect(cleo('show', 'T009')).toMatchObject({
          exit: 4,
          stdout: '',
          stderr: 'There is no task T009.\n  fix: cleo list\n',
        })
        expect(cleo(...promise, '--json')).toMatchObject({
          stdout: expect.stringMatching(/^\{.*\}\n$/),
          stderr: '',
        })
        expect(cleo('show', 'T009', '--json')).toMatchObject({
          exit: 4,
          stdout: expect.stringMatching(/^\{.*\}\n$/),
          stderr: '',
        })
      }))
  }

  test('cleo list | grep works', () =>
    withTemp((root) => {
      data(run(executable, ['init'], { cwd: root }))
      data(run(executable, ['add', 'Sign-up form'], { cwd: root }))
      data(run(executable, ['add', `Mail ${'and more '.repeat(15)}to the end`], { cwd: root }))
      const { stdout } = spawnSync('sh', ['-c', `"$0" list | grep 'end  *pending'`, executable.command[0]], {
        cwd: root,
        env: { ...environment(root), COLUMNS: '40' },
        encoding: 'utf8',
      })
      expect(stdout).toMatch(/^○ T002 {2}Mail and more .* to the end {2}pending/)
    }))

  test('rows are columns for awk, head and less, and the next page is named on standard error', () =>
    withTemp((root) => {
      const cleo = (...args: string[]) => data(run(executable, args, { cwd: root }))
      cleo('init')
      const rows = [
        { key: 'epic', title: 'Accounts', type: 'epic' },
        ...Array.from({ length: 30 }, (_, i) => ({
          title: `Task number ${i}`,
          parent: 'epic',
          description: 'x',
        })),
      ]
      data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(rows) }))
      cleo('complete', 'T003', 'T004')
      cleo('session', 'start', 'morning')
      const sh = (line: string) => {
        const ran = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
          cwd: root,
          env: { ...environment(root), cleo: executable.command[0], COLUMNS: '20', LC_ALL: 'C' },
          encoding: 'utf8',
        })
        return { ...ran, lines: ran.stdout.split('\n').filter(Boolean) }
      }
      const ids = sh(`"$cleo" list --limit 0 | awk 'NR > 1 { print $2 }'`)
      expect(ids.lines).toHaveLength(29)
      expect(ids.lines.every((id) => /^T\d{3}$/.test(id))).toBe(true)
      const statuses = sh(
        `"$cleo" list --all --limit 0 | awk -F '  +' 'NR > 1 { print $3 }' | sort | uniq -c`,
      )
      expect(statuses.stdout).toMatch(/^ *2 done\n *29 pending\n$/)
      for (const list of [
        'list',
        'list --sort updated',
        'find number',
        'ready',
        'log',
        'session list',
        'admin help',
      ]) {
        const { lines, stderr, status } = sh(`"$cleo" ${list}`)
        expect({
          list,
          status,
          stderr: stderr.replace(/^\d+ in total; next page: --after \S+\n$/, ''),
        }).toEqual({
          list,
          status: 0,
          stderr: '',
        })
        expect(lines.filter((line) => line.includes('next page') || line.includes('\u001b'))).toEqual([])
        expect(lines.some((line) => line.endsWith('…'))).toBe(false)
      }
      expect(sh('"$cleo" list --limit 5').stderr).toBe('29 in total; next page: --after T007\n')
      for (const reader of ['head -n 1', 'less -F', 'grep -m 1 T0', 'sed 1q']) {
        const read = sh(`"$cleo" list --limit 0 | ${reader}`)
        expect({ reader, status: read.status, stderr: read.stderr }).toEqual({
          reader,
          status: 0,
          stderr: '',
        })
        expect(read.lines.length).toBeGreaterThan(0)
      }
      // A refusal keeps its exit even if nobody reads its output.
      expect(sh('"$cleo" show T099 2>&1 | head -n 0').status).toBe(4)
    }))

  test('a terminal of 20 columns without UTF-8 shows lists and refusals, and ends as usual', () =>
    withTemp((root) => {
      const cleo = (...args: string[]) => data(run(executable, args, { cwd: root }))
      cleo('init')
      cleo('add', 'A title that is longer than twenty columns')
      const seen = (args: string) => {
        const line = `stty cols 20; "$cleo" ${args}; echo "exit $?"`
        const env = {
          ...environment(root),
          cleo: executable.command[0],
          LC_ALL: 'C',
          TERM: 'dumb',
          SHELL: '/bin/bash',
        }
        return spawnSync('script', ['-qec', line, '/dev/null'], { cwd: root, env, encoding: 'utf8' }).stdout
      }
      if (spawnSync('script', ['--version']).status !== 0) {
        console.warn('SKIPPED: script is not installed, so a narrow terminal is not tested')
        return
      }
      expect(seen('list')).toMatch(/T001.*exit 0/s)
      expect(seen('show T001 T001')).toMatch(/T001.*exit 0/s)
      expect(seen('help flags')).toMatch(/--json.*exit 0/s)
      expect(seen('complete T8 T9')).toMatch(/T008.*T009.*exit 4/s)
    }))

  test('the terminal of an agent client counts as a pipe: nothing is wrapped, cut or coloured', () =>
    withTemp((root) => {
      const title = 'A title that is much longer than twenty columns'
      run(executable, ['init'], { cwd: root })
      run(executable, ['add', title, '--description', 'Long.'], { cwd: root })
      const seen = (client: Record<string, string>) =>
        spawnSync('script', ['-qec', 'stty cols 20; "$cleo" list; "$cleo" show T009', '/dev/null'], {
          cwd: root,
          env: {
            ...environment(root),
            ...{
              cleo: executable.command[0],
              TERM: 'xterm',
              SHELL: '/bin/bash',
              NO_COLOR: '',
              CLEO_FORMAT: '',
            },
            ...client,
          },
          encoding: 'utf8',
        }).stdout
      if (spawnSync('script', ['--version']).status !== 0) {
        console.warn('SKIPPED: script is not installed, so the terminal of a client is not tested')
        return
      }
      const person = seen({})
      expect(person).not.toContain(title)
      expect(person).toContain('\u001b[')
      for (const client of ['QWEN_CODE', 'CURSOR_AGENT', 'AI_AGENT']) {
        expect(seen({ [client]: '1' }), client).toContain(title)
        expect(seen({ [client]: '1' }), client).not.toContain('\u001b[')
      }
    }))

  test('a value goes to a program as it is', () =>
    withTemp((root) => {
      const cleo = (...args: string[]) =>
        run(executable, args, { cwd: root, env: { CLEO_FORMAT: '' } }).stdout
      cleo('init')
      const description = 'one\ttwo\nthree \u200d four'
      cleo('add', 'Parser', '--description', description)
      expect(cleo('show', 'T001', '--field', 'description')).toBe(`${description}\n`)
    }))

  test('colour where it is wanted, and nowhere else', () =>
    withTemp((root) => {
      const colours = (env: Record<string, string>, ...more: string[]) =>
        run(executable, ['tree', ...more], { cwd: root, env: { CLEO_FORMAT: '', ...env } }).stdout.includes(
          '\u001b[',
        )
      data(run(executable, ['init'], { cwd: root }))
      data(run(executable, ['add', 'Sign-up form'], { cwd: root }))
      expect(colours({})).toBe(false)
      expect(colours({ CLICOLOR_FORCE: '1' })).toBe(true)
      expect(colours({ CLICOLOR_FORCE: '0' })).toBe(false)
      expect(colours({ CLICOLOR_FORCE: '1', NO_COLOR: '1' })).toBe(false)
      expect(colours({ FORCE_COLOR: '1' })).toBe(true)
      expect(colours({ FORCE_COLOR: '0' })).toBe(false)
      expect(colours({ CLICOLOR_FORCE: '1' }, '--json')).toBe(false)
    }))

  test('a narrow terminal shortens the flexible column, a pipe does not', () => {
    const rows = [
      ['T001', 'Sign-up form', 'pending'],
      ['T002', 'Ein sehr langer Titel für 登録フォーム', 'done'],
    ]
    const table = (isTerminal: boolean, width: number | undefined) =>
      styleFor({}, { isTerminal, width }).table(rows, 1)
    expect(table(true, 30)).toEqual(['T001  Sign-up form     pending', 'T002  Ein sehr lange…  done'])
    expect(table(false, undefined)).toEqual([
      'T001  Sign-up form                            pending',
      'T002  Ein sehr langer Titel für 登録フォーム  done',
    ])
  })

  test('a closed standard input is an empty one', () =>
    withTemp(async (root) => {
      data(run(executable, ['init'], { cwd: root }))
      const child = spawn(executable.command[0], ['add', '--batch'], {
        cwd: root,
        env: environment(root),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(await new Promise((done) => child.on('close', done))).toBe(6)
    }))
})

describe('[OUT-4] an answer costs few tokens', () => {
  // With every tokenizer, a token of the JSON below has more than three characters on average, so this count is
  // never too low.
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 3)

  test('next under 120, ready of ten under 600, show under 400, meta under 40', () =>
    withTemp((root) => {
      const cleo = (...args: string[]) => run(executable, args, { cwd: root })
      cleo('init')
      const rows = Array.from({ length: 12 }, (_, i) => ({
        title: `Store the password as a hash, part ${i}`,
        parent: 'accounts',
        description:
          'The form is there; the handler has to check the address, hash the password and store both. '.repeat(
            4,
          ),
        labels: ['accounts', 'security'],
        files: [`src/accounts/hash-${i}.ts`],
        acceptance: [
          'rejects a bad e-mail address',
          'stores a hash, never the password',
          'answers 409 the second time',
        ],
      }))
      const batch = [{ key: 'accounts', title: 'Customer accounts', type: 'epic' }, ...rows]
      data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(batch) }))
      const session = data<{ id: string }>(cleo('session', 'start')).id
      const cost = (...args: string[]) => {
        const { data, meta } = JSON.parse(cleo(...args, '--session', session).stdout) as Record<
          string,
          unknown
        >
        expect(tokens(meta)).toBeLessThanOrEqual(40)
        return tokens(data)
      }
      expect(cost('next')).toBeLessThan(120)
      expect(cost('ready')).toBeLessThan(600)
      expect(cost('show', 'T002')).toBeLessThan(400)
    }))
})

describe('[TASK-8] an outline can come from any pipe of the shell', () => {
  const plan = '# Plan\n\n- One\n  Text.\n'
  const shell = (root: string, line: string) =>
    spawnSync('bash', ['-c', line], { cwd: root, env: environment(root), encoding: 'utf8', input: plan })
  const cleo = executable.command.join(' ')

  test.each(['-', '/dev/stdin', '/dev/fd/0', '<(cat)'])('%s', (from) =>
    withTemp((root) => {
      data(run(executable, ['init'], { cwd: root }))
      const { stdout, stderr } = shell(root, `${cleo} add --from ${from}`)
      expect([stdout.split('\n')[0], stderr.replace(/^warning.*\n/, '')]).toEqual(['+ T001 Plan', ''])
    }),
  )

  test('a named pipe is refused, and its fix works', () =>
    withTemp((root) => {
      data(run(executable, ['init'], { cwd: root }))
      shell(root, 'mkfifo pipe')
      const { stderr, status } = shell(root, `${cleo} add --from pipe`)
      expect([stderr, status]).toEqual([
        `Cannot read ${root}/pipe: it is a pipe or a device.\n  fix: cleo add --from - < pipe\n`,
        3,
      ])
      expect(
        shell(root, `printf '# Plan\\n\\n- One\\n' > pipe & ${cleo} add --from - < pipe`).stdout,
      ).toContain('+ T001 Plan')
    }))

  test('a long text without an outline is not taken for a path', () =>
    withTemp((root) => {
      data(run(executable, ['init'], { cwd: root }))
      const { stderr } = shell(root, `head -c 100000 /dev/zero | tr '\\0' a | ${cleo} add --from -`)
      expect(stderr).toContain('has no heading and no list item')
      expect(stderr.length).toBeLessThan(300)
    }))
})
