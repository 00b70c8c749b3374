import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, runtimes } from '../support/cleo.ts'
import { isOver, until } from '../support/processes.ts'
import { commit, git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

test.each(runtimes)('[GATE-3] ending a command ends the tool it runs: $name', (runtime) =>
  withTemp(async (cwd) => {
    git(cwd, 'init', '-q', '-b', 'main')
    put(cwd, {
      Makefile: 'test:\n\t@./slow.sh\n',
      'slow.sh': '#!/bin/sh\necho $$ > .home/pid\nsleep 300\n',
      '.home/x': '',
      '.gitignore': '.home/\n',
    })
    chmodSync(join(cwd, 'slow.sh'), 0o755)
    commit(cwd, 'Begin')
    for (const args of [['init'], ['add', 'Form', '--description', 'x']])
      expect(run(runtime, args, { cwd }).exit).toBe(0)
    const [program, ...first] = runtime.command
    const args = [...first, 'verify', 'T001', '--gate', 'testsPassed', '--evidence', 'tool:test']
    const env = { PATH: process.env['PATH'] ?? '', HOME: join(cwd, '.home'), USER: 'ada' }
    const child = spawn(program, args, { cwd, env, stdio: 'ignore' })
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.on('exit', (_, signal) => resolve(signal)),
    )
    const file = join(cwd, '.home/pid')
    await until(
      () => child.exitCode !== null || (existsSync(file) && readFileSync(file, 'utf8').trim() !== ''),
    )
    expect(child.exitCode, 'the tool runs').toBeNull()
    const pid = Number(readFileSync(file, 'utf8'))
    expect(isOver(pid)).toBe(false)
    child.kill('SIGTERM')
    expect(await ended).toBe('SIGTERM')
    await until(() => isOver(pid))
    expect(isOver(pid)).toBe(true)
  }),
)
