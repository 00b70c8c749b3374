import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { data, executable, type Ran, run } from '../support/cleo.ts'

const agents = join(import.meta.dirname, 'agents')

/** A project with git, tests and lint, in which shell scripts play the agents. */
export interface Company {
  main: string
  cleo(...args: string[]): Ran
  /** Runs a command and returns its data. A refusal fails the test. */
  ask<T>(...args: string[]): T
  worktree(task: string): string
  /** Spawns a task and returns the spawn's id. */
  spawn(task: string, ...more: string[]): string
  /** Lets a shell script play the agent. Returns the return line and what the script's commands printed. */
  play(script: string, spawn: string, folder?: string): Promise<{ line: string; log: string }>
  receive(task: string, line: string, ...more: string[]): Ran
}

export const openCompany = (folder: string): Company => {
  const main = join(folder, 'shop')
  mkdirSync(join(main, '.cleo'), { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home'), USER: 'ada' }
  const git = (...args: string[]) => {
    const ran = spawnSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.invalid', ...args], {
      cwd: main,
      env,
      encoding: 'utf8',
    })
    if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`)
  }
  const cleo = (...args: string[]) => run(executable, args, { cwd: main, env })
  const ask = <T>(...args: string[]): T => data<T>(cleo(...args))
  found(main, git)
  ask('init')
  ask('trust', '--yes')
  return {
    main,
    cleo,
    ask,
    worktree: (task) => {
      git('worktree', 'add', '--quiet', '-b', task, join(folder, task))
      return join(folder, task)
    },
    spawn: (task, ...more) =>
      ask<{ spawnId: string }>('orchestrate', 'spawn', task, '--ref', ...more).spawnId,
    play: (script, spawnId, place = main) => playAgent(script, spawnId, place, { main, folder, env }),
    receive: (task, line, ...more) => cleo('orchestrate', 'receive', task, '--message', line, ...more),
  }
}

/** Sets up tests that run every script under test/, and a lint that only checks that test/ exists. */
const found = (main: string, git: (...args: string[]) => void): void => {
  const commands = { test: ['sh', './run-tests.sh'], lint: ['sh', './lint.sh'] }
  writeFileSync(join(main, '.cleo', 'config.json'), JSON.stringify({ commands, worktrees: { by: 'none' } }))
  writeFileSync(join(main, 'run-tests.sh'), 'for t in test/*.sh; do sh "$t" || exit 1; done\n')
  writeFileSync(join(main, 'lint.sh'), 'test -d test\n')
  mkdirSync(join(main, 'test'))
  writeFileSync(join(main, 'test', 'always.sh'), 'true\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'run-tests.sh', 'lint.sh', 'test')
  git('commit', '--quiet', '--message', 'Found the shop')
}

interface Place {
  main: string
  folder: string
  env: Record<string, string>
}

const playAgent = (script: string, spawnId: string, cwd: string, { main, folder, env }: Place) =>
  new Promise<{ line: string; log: string }>((resolve, reject) => {
    const log = join(folder, `${spawnId}.log`)
    writeFileSync(log, '')
    const child = spawn('bash', [join(agents, `${script}.sh`)], {
      cwd,
      env: {
        ...env,
        AGENTS: agents,
        CLEO: executable.command[0],
        TASK: spawnId.split('.')[0]!,
        SPAWN: spawnId,
        MAIN: main,
        LOG: log,
      },
    })
    let out = ''
    let errors = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.on('error', reject)
    child.on('close', (status) => {
      const said = `${readFileSync(log, 'utf8')}${status === 0 ? '' : `${script} ended with ${status}: ${errors}`}`
      resolve({ line: out.trimEnd(), log: said })
    })
  })
