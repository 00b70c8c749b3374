import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/project-commands/run-command.ts'
import { builtOrSource, start } from '../support/cleo.ts'
import { configure } from '../support/configure.ts'
import { withProject } from '../support/project.ts'
import { addTask, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import { opened } from '../support/worktree.ts'

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await pause(20)
}

describe('[TREE-3] a command that is marked exclusive', () => {
  test('runs one at a time on the machine, whichever process and task asks', () =>
    withTemp((outside) =>
      withProject(async (made) => {
        const [log, go] = [join(outside, 'log'), join(outside, 'go')]
        put(made.root, {
          'run.sh': `echo begin >> ${log}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\necho end >> ${log}\n`,
        })
        const run = { run: 'sh run.sh', exclusive: true }
        const project = await configure(made, { commands: { test: run as never } })
        await addTask(project)
        await addTask(project)
        const verify = (task: string) =>
          start(builtOrSource, ['verify', task, '--gate', 'testsPassed', '--evidence', 'tool:test'], {
            cwd: made.root,
          })
        const first = verify('T002')
        await until(() => textOf(log) !== '')
        const heard: string[] = []
        const here = await opened(made)
        let ended = false
        const second = runCommand(
          { ...here, progress: ({ line }) => void heard.push(line ?? '') },
          made.root,
          ['sh', 'run.sh'],
          1000,
          { exclusive: true },
        ).finally(() => (ended = true))
        try {
          const isWaiting = () => heard.some((line) => line.startsWith('waits'))
          await until(() => isWaiting() || textOf(log) === 'begin\nbegin\n' || ended)
          expect(textOf(log), 'the second waits').toBe('begin\n')
          expect(heard[0]).toBe(`waits for an exclusive command: sh run.sh in ${made.root}`)
        } finally {
          writeFileSync(go, '')
          await Promise.all([first, second])
        }
        expect(await first).toMatchObject({ exit: 0 })
        expect(await second).toMatchObject({ end: 'exited', code: 0 })
        expect(textOf(log)).toBe('begin\nend\nbegin\nend\n')
      }),
    ))

  test('does not wait for a process that was killed', () =>
    withProject(async (project) => {
      const state = join(project.root, '.home', '.local', 'state', 'cleo')
      const here = await opened(project)
      const run = () => runCommand(here, project.root, ['true'], 1000, { exclusive: true })
      expect(await run()).toMatchObject({ code: 0 })
      const holder = `const { DatabaseSync } = require('node:sqlite')
        new DatabaseSync(${JSON.stringify(join(state, 'exclusive.lock'))}).exec('BEGIN EXCLUSIVE')
        console.log('held'); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['-e', holder], { stdio: ['ignore', 'pipe', 'ignore'] })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      const waiting = run()
      child.kill('SIGKILL')
      expect(await waiting).toMatchObject({ code: 0 })
    }))
})

test('[TREE-3] a command sees the variables of its worktree, and none of the caller', () =>
  withProject(async (project) => {
    const here = await opened(project)
    const ran = await runCommand(here, project.root, ['env'], 10_000, { variables: { CLEO_SLOT: '4' } })
    const lines = ran.end === 'exited' ? ran.tail.split('\n') : []
    expect(lines).toContain('CLEO_SLOT=4')
    expect(lines.filter((line) => line.startsWith('GIT_'))).toEqual([])
  }))
