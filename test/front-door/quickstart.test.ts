import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { runCli } from '../../src/surface/cli/cli.ts'
import { quickstart } from '../../src/surface/cli/quickstart.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'
import { executable, run } from '../support/cleo.ts'
import { noClient } from '../support/no-client.ts'
import { noServers } from '../support/no-servers.ts'
import { withTemp } from '../support/temp.ts'
import { gitIdentity } from '../support/transcript.ts'
import { git } from '../support/worktrees.ts'

const environment = (home: string): Record<string, string> => ({
  ...noClient,
  ...gitIdentity,
  HOME: home,
  USER: 'ada',
  TMPDIR: home,
  PATH: process.env['PATH'] ?? '',
})

test('[OPS-1] in a pipe, quickstart prints a script that runs as printed', () =>
  withTemp(async (home) => {
    const bin = join(home, 'bin')
    mkdirSync(bin)
    symlinkSync(executable.command[0], join(bin, 'cleo'))
    const env = environment(home)
    const script = run(executable, ['quickstart'], { cwd: home, env }).stdout
    const ended = spawnSync('sh', ['-s'], {
      cwd: home,
      env: { ...env, PATH: `${bin}:${env['PATH']}` },
      input: `${script}pwd\n`,
      encoding: 'utf8',
    })
    expect(ended.status).toBe(0)
    expect(ended.stderr.match(/^ {2}fix: .*$/gm), 'one refusal, which the script announces').toEqual([
      '  fix: cleo respawn T002 --ref',
    ])
    expect(script).toContain('# Refused, with exit 62:\ncleo receive T002')
    const folder = ended.stdout.trim().split('\n').at(-1)!
    expect(ended.stdout).toContain('✓ cleo/T001 → main: 1 commit, 1 task')
    expect(readFileSync(join(folder, 'farewell.txt'), 'utf8')).toBe('goodbye\n')
    // In topological order, because all commits can be from the same second.
    expect(git(folder, 'log', '--topo-order', '-1', '--format=%s', '--no-merges')).toBe('Say goodbye')
  }))

interface Led {
  text: string
  exit: number
}

/** Runs quickstart and answers its questions in turn. */
const lead = async (
  home: string,
  answers: (string | undefined)[],
  args: string[] = [],
  cwd = home,
  width?: number,
): Promise<Led> => {
  let text = ''
  const print = (more: string) => {
    text += more
  }
  const terminal: Terminal = {
    ...{ out: print, err: print, elapsed: () => 0 },
    ...{ isTerminal: width !== undefined, isErrorTerminal: width !== undefined, width },
  }
  const host: Host = { ...nodeHost(), cwd, home, user: 'ada', env: environment(home) }
  const exit = await quickstart(args, {
    host,
    terminal,
    run: (argv, from, to) => runCli(argv, from, to, noServers),
    ask: () => {
      if (answers.length === 0) throw new Error(`asked once more:\n${text}`)
      return answers.shift()
    },
  })
  return { text, exit }
}

test('[OPS-1] quickstart asks before each step, can be left at any time, and goes on where it was left', () =>
  withTemp(async (home) => {
    const folder = join(home, 'cleo-quickstart')
    const nothing = await lead(home, ['q'])
    expect(nothing.exit).toBe(0)
    expect(nothing.text).toContain('  $ git init -q -b main\n')
    expect(nothing.text).toContain('Nothing is undone. Go on with: cleo quickstart\n')
    expect(existsSync(join(folder, '.git')), 'a step that is only shown has no effect').toBe(false)

    const first = await lead(home, ['', '', '', '', '', undefined])
    expect(first.text).toContain('Made .cleo/ in cleo-quickstart')
    expect(first.text).toContain('T002.1  implementation')
    expect(first.text.split('\n').at(-2)).toBe('Nothing is undone. Go on with: cleo quickstart')

    const second = await lead(home, ['', '', '', ''])
    expect(second.text).not.toContain('Made .cleo/')
    expect(second.text).toContain('T002.1 claims to be done, but submitted no manifest entry.')
    expect(second.text).toContain('✓ T002 complete · merged into cleo/T001 (1 commit)')
    expect(second.text).toContain('✓ cleo/T001 → main: 1 commit, 1 task; sh run-tests.sh: 2 passed')
    expect(second.text).toContain('Done: an epic from the plan to the end')
    // In topological order, because all commits can be from the same second.
    expect(git(folder, 'log', '--topo-order', '-1', '--format=%s', '--no-merges')).toBe('Say goodbye')

    const third = await lead(home, [])
    expect(third.text, 'nothing is left to do').toContain('Done: an epic')
  }))

test('[OPS-1] quickstart starts anew after its folder was deleted, and says what lies where', () =>
  withTemp(async (home) => {
    const folder = join(home, 'cleo-quickstart')
    const first = await lead(home, ['', '', '', '', 'q'])
    expect(first.text).toContain(
      'The tasks are in .cleo/, the worktrees of agents and backups in ~/.local/state/cleo.',
    )
    expect(first.text, 'its own next commands are those of quickstart').not.toContain('next: cleo')
    rmSync(folder, { recursive: true })
    const again = await lead(home, ['', '', '', '', '', '', '', '', ''])
    expect(again.text).toContain('  $ cleo init --empty\n')
    expect(again.exit, again.text).toBe(0)
    expect(again.text).toMatch(
      /The project is in ~\/cleo-quickstart and ~\/\.local\/state\/cleo\/[0-9a-z]{12} \(worktrees and backups\)/,
    )
  }))

test('[OPS-1] quickstart runs a step only after Enter, and shows each command once and where it runs', () =>
  withTemp(async (home) => {
    const folder = join(home, 'cleo-quickstart')
    const { text } = await lead(home, ['git status', 'y', 'q'])
    expect(text.match(/Enter runs this, q leaves: /g)).toHaveLength(3)
    expect(existsSync(join(folder, '.git'))).toBe(false)
    const { text: all } = await lead(home, ['', '', '', '', '', '', 'q'])
    expect(all.match(/git init -q -b main/g)).toHaveLength(1)
    expect(all.match(/cleo spawn T002 --ref/g)).toHaveLength(1)
    expect(all).toMatch(/\$ cd \/.*\/worktrees\/T002\.1\n {2}\$ echo goodbye/)
    expect(all).toContain('After a refusal, the same agent can still finish, as here.')
  }))

test('[OUT-1] at a narrow terminal, quickstart breaks its sentences between words', () =>
  withTemp(async (home) => {
    const { text } = await lead(home, ['', '', '', '', 'q'], [], home, 40)
    // On a real terminal, the Enter of the person ends the line of the question. The text lacks this line break, so
    // add it.
    const plain = text.replaceAll(/\u001b\[\d+m/g, '').replaceAll('q leaves: ', 'q leaves:\n')
    expect(plain).toContain('CLEO writes the prompt to a file. You\nwould start an agent with:')
    // Leave out lines with a command or a long path. Quickstart does not wrap commands, because people copy them,
    // and it cannot wrap a path.
    const sentences = plain.split('\n').filter((line) => !/^ *\$ |\/\S{20}/.test(line))
    expect(sentences.filter((line) => line.length > 40)).toEqual([])
  }))

test('[OPS-1] with --here it uses the project of this folder, and without git there is nothing to land', () =>
  withTemp(async (home) => {
    const shop = join(home, 'shop')
    mkdirSync(shop)
    expect(await lead(home, [], ['--here'], shop)).toMatchObject({ exit: 9 })
    run(executable, ['init', '--quiet'], { cwd: shop, env: environment(home) })
    run(executable, ['add', 'Ours'], { cwd: shop, env: environment(home) })
    const { text, exit } = await lead(home, ['', '', '', '', ''], ['--here'], shop)
    expect({ exit, text }).toMatchObject({ exit: 0, text: expect.stringContaining('T003 Write a greeting') })
    expect(text).toContain('✓ T003 complete')
    expect(text).not.toContain('cleo land')
    expect(existsSync(join(home, 'cleo-quickstart'))).toBe(false)
  }))

test('[OPS-1] quickstart refuses what it does not know, and --here without a terminal', () =>
  withTemp(async (home) => {
    const asked = (...args: string[]) =>
      run(executable, ['quickstart', ...args], { cwd: home, env: environment(home) })
    expect(asked('now')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('Unexpected argument now.'),
    })
    expect(asked('--here')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--here needs a terminal.'),
    })
    expect(asked('--help').stdout).toContain('cleo quickstart [--here]')
  }))
