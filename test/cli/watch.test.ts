import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { data, executable, run, runtimeEnvironment } from '../support/cleo.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { withTemp } from '../support/temp.ts'

/** The projects that are in PostgreSQL: the folder of each project, with the address of its database. */
const databases = new Map<string, string>()
const optionsFor = (root: string) => {
  const address = databases.get(root)
  return { cwd: root, ...(address && { env: { CLEO_DATABASE_URL: address } }) }
}
const cleo = (root: string, ...args: string[]) => run(executable, args, optionsFor(root))

const plant = (root: string): void => {
  data(cleo(root, 'init'))
  data(cleo(root, 'add', 'Accounts', '--type', 'epic'))
  data(cleo(root, 'add', 'Sign-up form', '--parent', 'T001'))
}

const until = async <T>(what: string, look: () => T | undefined | false): Promise<T> => {
  const end = Date.now() + 180_000
  for (;;) {
    const found = look()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('[OUT-1] watch in a pipe', () => {
  /** Starts `cleo watch` with a pipe and collects what it prints. */
  const piped = (root: string, ...args: string[]) => {
    const child = spawn(executable.command[0], ['watch', ...args], {
      cwd: root,
      env: { ...runtimeEnvironment(executable, optionsFor(root)), CLEO_FORMAT: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const seen = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      seen.out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      seen.err += chunk.toString()
    })
    const ended = new Promise<number | string>((done) =>
      child.on('close', (exit, signal) => done(exit ?? signal ?? '')),
    )
    return { child, seen, ended }
  }

  test.each(['sqlite', 'postgres'])(
    'prints each change as one line, from the last ones on, and ends with SIGTERM (%s)',
    (store) =>
      withTemp(async (root) => {
        if (store === 'postgres') databases.set(root, await postgresDatabase())
        plant(root)
        const { child, seen, ended } = piped(root)
        await until('the changes before', () => seen.out.includes('added Sign-up form'))
        data(cleo(root, 'note', 'T002', 'two\nlines \u001b[31mred'))
        data(cleo(root, 'complete', 'T002'))
        await until('the new changes', () => /T001 +done/.test(seen.out))
        expect(seen.out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<minute>').split('\n')).toEqual([
          '<minute>  ada       T001   added Accounts',
          '<minute>  ada       T002   added Sign-up form',
          '<minute>  ada       T002   noted: two\\nlines \\u{1b}[31mred',
          '<minute>  ada       T002   done',
          '<minute>  ada       T001   done',
          '',
        ])
        child.kill('SIGTERM')
        expect([await ended, seen.err]).toEqual([143, ''])
      }),
  )

  test('shows only one epic if asked, and ends when the reader is gone', () =>
    withTemp(async (root) => {
      plant(root)
      data(cleo(root, 'add', 'Other', '--type', 'epic'))
      const { child, seen, ended } = piped(root, 't1')
      await until('the changes before', () => seen.out.includes('Sign-up form'))
      child.stdout.destroy()
      data(cleo(root, 'note', 'T003', 'elsewhere'))
      data(cleo(root, 'note', 'T002', 'here'))
      expect(await ended).toBe(0)
      expect(seen.out).not.toContain('Other')
    }))

  test('says that the project is gone, and that it was replaced', () =>
    withTemp(async (root) => {
      plant(root)
      const { path } = data<{ path: string }>(cleo(root, 'backup'))
      const { seen, ended } = piped(root)
      await until('the changes before', () => seen.out.includes('Sign-up form'))
      data(cleo(root, 'note', 'T002', 'lost later'))
      await until('the note', () => seen.out.includes('lost later'))
      data(cleo(root, 'restore', path))
      await until('the restored project', () => seen.out.includes('was replaced'))
      data(cleo(root, 'note', 'T002', 'after it'))
      await until('what follows', () => seen.out.includes('after it'))
      renameSync(join(root, '.cleo'), join(root, '.gone'))
      expect(await ended).toBe(9)
      expect(seen.err).toMatch(/^[^\n]+\n {2}fix: /)
    }))

  test('refuses what it does not know', () =>
    withTemp((root) => {
      plant(root)
      expect(cleo(root, 'watch', 'everything')).toMatchObject({ exit: 2 })
      expect(cleo(root, 'watch', 'board', 'T002')).toMatchObject({ exit: 6 })
      expect(cleo(root, 'watch', 'tree', 'T999')).toMatchObject({ exit: 4 })
      expect(cleo(root, 'watch', '--fast')).toMatchObject({ exit: 2 })
    }))
})

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.error('SKIPPED: the live view was not tested, because there is no tmux')

describe.skipIf(!hasTmux)('[OUT-1] watch at a terminal', () => {
  const socket = `cleo-test-${process.pid}`
  const tmux = (...args: string[]): string =>
    spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout
  afterAll(() => void tmux('kill-server'))

  /**
   * Starts a shell in a terminal of the given size. The shell runs the command and then prints how the command
   * ended.
   */
  const opened = (
    root: string,
    command: string,
    [columns, rows] = [80, 20],
    env: Record<string, string> = {},
  ) => {
    const name = `w${Math.random().toString(36).slice(2)}`
    const set = Object.entries({ HOME: join(root, '.home'), USER: 'ada', LC_ALL: 'C.UTF-8', ...env })
      .map(([key, value]) => `${key}='${value}'`)
      .join(' ')
    const script = `cd '${root}'; echo before; ${set} '${executable.command[0]}' ${command}; echo "ended $?"; stty -a | grep -o -- '-\\?icanon'; sleep 600`
    tmux('new-session', '-d', '-s', name, '-x', String(columns), '-y', String(rows), script)
    const screen = (): string => tmux('capture-pane', '-p', '-t', name).trimEnd()
    return {
      screen,
      all: (): string => tmux('capture-pane', '-p', '-S', '-200', '-t', name).trimEnd(),
      sees: (text: string) => until(`"${text}" in:\n${screen()}`, () => screen().includes(text)),
      press: (key: string) => tmux('send-keys', '-t', name, key),
      resize: (x: number, y: number) => tmux('resize-window', '-t', name, '-x', String(x), '-y', String(y)),
      pid: () => Number(tmux('display-message', '-p', '-t', name, '#{pane_pid}')),
    }
  }

  test('redraws in place, streams after s with what happened before, and gives the terminal back', () =>
    withTemp(async (root) => {
      plant(root)
      const terminal = opened(root, 'watch board')
      await terminal.sees('q ends')
      expect(terminal.screen()).toMatch(
        /^before\n1 pending\n\nReady\n○ T002 Sign-up form\n\ncleo watch board/,
      )
      data(cleo(root, 'block', 'T002', '--reason', 'no access'))
      await terminal.sees('■ T002 Sign-up form')
      expect(terminal.screen()).toMatch(
        /^before\n1 blocked\n\nBlocked\n■ T002 Sign-up form\n {2}no access\n\ncleo watch/,
      )
      expect(terminal.screen().match(/cleo watch board/g)).toHaveLength(1)
      terminal.press('s')
      await terminal.sees('blocked: no access')
      data(cleo(root, 'unblock', 'T002'))
      await terminal.sees('unblocked')
      terminal.press('C-c')
      await terminal.sees('ended 130')
      await terminal.sees('\nicanon')
    }))

  test('q ends it, a resize redraws it, and 20 columns are enough', () =>
    withTemp(async (root) => {
      plant(root)
      const terminal = opened(root, 'watch tree', [60, 20])
      await terminal.sees('└─ ○ T002 Sign-up form')
      terminal.resize(20, 12)
      await terminal.sees('\nq ends')
      expect(terminal.screen()).not.toContain('prints')
      for (const line of terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(20)
      terminal.resize(90, 20)
      await terminal.sees('cleo watch tree · q ends · s prints changes')
      await terminal.sees('└─ ○ T002 Sign-up form')
      terminal.press('q')
      await terminal.sees('ended 0')
      await terminal.sees('\nicanon')
      expect(terminal.all()).toContain('before')
    }))

  test('a signal ends it with the terminal restored, without colour and without UTF-8', () =>
    withTemp(async (root) => {
      plant(root)
      const terminal = opened(root, 'watch', [80, 20], { LC_ALL: 'C', NO_COLOR: '1' })
      await terminal.sees('cleo watch status - q ends')
      const shell = terminal.pid()
      const [child] = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')
      process.kill(Number(child), 'SIGHUP')
      await terminal.sees('ended 129')
      await terminal.sees('\nicanon')
    }))

  test('a project that is removed ends it, and the refusal says so', () =>
    withTemp(async (root) => {
      plant(root)
      const terminal = opened(root, 'watch board')
      await terminal.sees('q ends')
      rmSync(join(root, '.cleo'), { recursive: true })
      await terminal.sees('fix: ')
      await terminal.sees('ended 9')
      await terminal.sees('\nicanon')
    }))
})
