import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { data, executable, type Runtime, run, runtimes } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

const environment = (root: string) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: `${root}/.home`,
  USER: 'ada',
})

/** A project whose audit log is more than 5 MB of JSON. */
const withLog = (work: (root: string) => Promise<void>): Promise<void> =>
  withTemp(async (root) => {
    data(run(executable, ['init'], { cwd: root }))
    const rows = Array.from({ length: 90 }, (_, i) => ({
      title: `Task ${i}`,
      description: 'é…x'.repeat(10_000),
    }))
    data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(rows) }))
    await work(root)
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
        const { child, ended } = spawned(runtime, ['log', '--limit', '100'], root)
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
        const { child, ended } = spawned(runtime, ['log', '--limit', '100'], root)
        let complaint = ''
        child.stderr.on('data', (chunk: Buffer) => {
          complaint += chunk.toString()
        })
        child.stdout.once('data', () => child.stdout.destroy())
        expect([await ended, complaint]).toEqual([0, ''])
      }))

    test(`one envelope on standard output, everything for people on standard error (${runtime.name})`, () =>
      withTemp((root) => {
        const cleo = (...args: string[]) => run(runtime, args, { cwd: root })
        cleo('init')
        const promise = ['add', 'Parser', '--description', 'Takes 3 days.']
        expect(cleo(...promise)).toMatchObject({ stdout: expect.stringMatching(/^\{.*\}\n$/), stderr: '' })
        expect(cleo(...promise, '--human')).toMatchObject({
          stdout: 'T002 Parser  task\n',
          stderr: expect.stringMatching(/^warning: .*\n$/),
        })
        expect(cleo('show', 'T009')).toMatchObject({
          stdout: expect.stringMatching(/^\{.*\}\n$/),
          stderr: '',
        })
        expect(cleo('show', 'T009', '--human')).toMatchObject({
          stdout: '',
          stderr: 'There is no task T009.\n  fix: cleo list\n',
        })
      }))
  }

  test('colour where it is wanted, and nowhere else', () =>
    withTemp((root) => {
      const colours = (env: Record<string, string>, ...more: string[]) =>
        run(executable, ['tree', ...more], { cwd: root, env }).stdout.includes('\u001b[')
      data(run(executable, ['init'], { cwd: root }))
      data(run(executable, ['add', 'Sign-up form'], { cwd: root }))
      expect(colours({}, '--human')).toBe(false)
      expect(colours({ FORCE_COLOR: '1' }, '--human')).toBe(true)
      expect(colours({ FORCE_COLOR: '0' }, '--human')).toBe(false)
      expect(colours({ FORCE_COLOR: '1', NO_COLOR: '1' }, '--human')).toBe(false)
      expect(colours({ FORCE_COLOR: '1' }, '--json')).toBe(false)
    }))

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
  // Three characters a token is less than any tokenizer makes of such text, so this errs on the safe side.
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 3)

  test('next under 120, ready of ten under 600, show under 400, meta under 40', () =>
    withTemp((root) => {
      const cleo = (...args: string[]) => run(executable, args, { cwd: root })
      cleo('init')
      const rows = Array.from({ length: 12 }, (_, i) => ({
        title: `Store the password as a hash, part ${i}`,
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
      data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(rows) }))
      const session = data<{ id: string }>(cleo('session', 'start')).id
      const cost = (...args: string[]) => {
        const { data, meta } = JSON.parse(cleo(...args, '--session', session).stdout) as Record<
          string,
          unknown
        >
        expect(tokens(meta)).toBeLessThanOrEqual(40)
        return tokens(data)
      }
      expect(cost('orchestrate', 'next')).toBeLessThan(120)
      expect(cost('orchestrate', 'ready')).toBeLessThan(600)
      expect(cost('show', 'T001')).toBeLessThan(400)
    }))
})
