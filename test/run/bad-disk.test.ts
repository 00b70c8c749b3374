import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, type TestContext, test } from 'vitest'
import { type OwnProcess, processesOf } from '../../src/host/node-own-processes.ts'
import type { RunReport } from '../../src/run/report.ts'
import { data, executable, type Ran, run, start } from '../support/cleo.ts'
import { git, put, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

interface Disk {
  /** The folder of the project. */
  root: string
  home: string
  /** The small disk. */
  disk: string
  cleo(...args: string[]): Promise<Ran>
}

/** Mounts a small disk and makes a project whose epic T001 has three tasks. */
const onSmallDisk = (
  { skip }: TestContext,
  { script, size = '40m', homeToo = false }: { script: string; size?: string; homeToo?: boolean },
  work: (disk: Disk) => Promise<void>,
): Promise<void> =>
  withTemp(async (temp) => {
    const disk = join(temp, 'disk')
    mkdirSync(disk)
    const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' })
    const mounted = mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk)
    if (mounted.status !== 0) {
      const reason = `no small disk can be mounted here: ${mounted.stderr || mounted.error}`
      console.warn(`NOT TESTED: ${reason}`)
      skip(reason)
    }
    try {
      const root = join(disk, 'project')
      const home = join(homeToo ? disk : temp, 'home')
      for (const folder of [root, home]) mkdirSync(folder)
      const options = { cwd: root, env: { HOME: home } }
      const must = (args: string[], input = '') => data(run(executable, args, { ...options, input }))
      repository(root)
      putAgent(temp, agentWith(script, disk))
      must(['init'])
      must(['config', 'set', 'worktrees.minFree', '1'])
      must(['add', 'Disks', '--type', 'epic'])
      must(['add', '--batch'], chain)
      const cleo = (...args: string[]) => start(executable, args, options)
      await work({ root, home, disk, cleo })
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  })

/** Three tasks, each waiting for the one before. */
const chain = ['one', 'two', 'three']
  .map((name, n, all) => ({
    ...{ key: name, title: `Build ${name}`, description: 'Build it.', parent: 'T001' },
    ...(n > 0 && { depends: [all[n - 1]] }),
  }))
  .map((row) => JSON.stringify(row))
  .join('\n')

const putAgent = (folder: string, text: string): void => {
  put(folder, { 'agent.sh': text })
  chmodSync(join(folder, 'agent.sh'), 0o755)
}

/** An agent that runs a script in its first attempt at the second task, and otherwise does its work. */
const agentWith = (script: string, disk: string): string => `#!/bin/sh
cat > /dev/null
disk=${disk}
task=\${CLEO_AGENT_ID%.*}
if [ "$task" = T003 ] && [ ! -e "$0.played" ]; then
  : > "$0.played"
  ${script}
fi
cleo focus set $task > /dev/null
echo "$task" > $task.txt
sed -i 's/^## Summary$/## Summary\\n\\nIt is done./' claudedocs/agent-outputs/$task-*
git add -A
git commit -q -m "Build $task"
cleo finish $task --finding "It is built." --no-tests "The test plays an agent."
`

const begin = ({ cleo, disk }: Disk) =>
  cleo('run', 'T001', '--agent', 'command', '--command', join(disk, '..', 'agent.sh'))

const lastLine = ({ stdout }: Ran) =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    success: boolean
    data: RunReport
    error: { exit: number; code: string; message: string; fix?: string; alternatives?: string[] }
  }

/** After the disk is in order again, the run goes on where it was, repeats nothing and leaves nothing behind. */
const goesOn = async ({ root, cleo }: Disk): Promise<void> => {
  const { data: report } = lastLine(await cleo('run', 'resume', 'R001'))
  expect(report).toMatchObject({ state: 'finished', merged: 3 })
  expect(git(root, 'log', '--format=%s', '--first-parent', 'cleo/T001').split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^Merge T004\.\d: Build three$/),
    expect.stringMatching(/^Merge T003\.\d: Build two$/),
    'Merge T002.1: Build one',
  ])
  git(root, 'fsck', '--strict')
  expect(agentProcesses(root), 'no process of an agent is left').toEqual([])
}

const agentProcesses = (root: string): OwnProcess[] => {
  const db = new DatabaseSync(join(root, '.cleo', 'cleo.db'), { readOnly: true })
  try {
    const rows = db.prepare('SELECT marker FROM run_agents').all() as { marker: string }[]
    return rows.flatMap(({ marker }) => processesOf({ variable: 'CLEO_RUN_MARKER', value: marker }))
  } finally {
    db.close()
  }
}

test('[RUN-2] [RUN-3] a disk that fills up in a run ends it by name, and a resume goes on', (context) =>
  onSmallDisk(context, { script: 'cat /dev/zero > $disk/ballast 2> /dev/null; exit 0' }, async (disk) => {
    const ended = await begin(disk)
    expect(ended.exit, ended.stdout).toBe(3)
    const { error } = lastLine(ended)
    expect(error).toMatchObject({
      code: 'store.full',
      fix: `df -h ${disk.root}/.cleo`,
      alternatives: expect.arrayContaining(['To go on with the run after that: cleo run resume R001']),
    })
    rmSync(join(disk.disk, 'ballast'))
    await goesOn(disk)
  }))

test('[RUN-3] [TREE-4] a run does not begin on a disk without room for a worktree', (context) =>
  onSmallDisk(context, { script: ':', homeToo: true }, async (disk) => {
    data(await disk.cleo('config', 'set', 'worktrees.minFree', '1000000000'))
    const { error } = lastLine(await begin(disk))
    expect(error).toMatchObject({ code: 'worktree.space' })
    expect(existsSync(join(disk.root, '.cleo', 'runs'))).toBe(false)
  }))

test('[RUN-3] agents whose disk fills up are refused by name, and their work goes on after a resume', (context) =>
  onSmallDisk(
    context,
    { script: 'cat /dev/zero > $disk/ballast 2> /dev/null', homeToo: true },
    async (disk) => {
      const ended = await begin(disk)
      expect(ended.exit, ended.stdout).toBe(3)
      expect(lastLine(ended).error).toMatchObject({ code: 'store.full' })
      rmSync(join(disk.disk, 'ballast'))
      await goesOn(disk)
    },
  ))

// File permissions do not stop root. If root runs this test, another user runs the commands.
const isRoot = process.getuid?.() === 0
const nobody = 65_534

test('[RUN-2] [RUN-3] a .cleo that turns read-only in a run ends it by name, and a resume goes on', ({
  skip,
}) =>
  withTemp((temp) => {
    const root = join(temp, 'project')
    const home = join(temp, 'home')
    const agent = join(temp, 'agent.sh')
    const closed = join(temp, 'closed')
    for (const folder of [root, home, closed]) mkdirSync(folder)
    chmodSync(closed, 0)
    putAgent(temp, agentWith('chmod 400 $CLEO_PROJECT/.cleo/cleo.db; chmod 500 $CLEO_PROJECT/.cleo', temp))
    for (const folder of [temp, root, home]) if (isRoot) chownSync(folder, nobody, nobody)
    const ran = (program: string, args: readonly string[], input = ''): Ran => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        ...{ cwd: root, input, encoding: 'utf8', ...(isRoot && { uid: nobody, gid: nobody }) },
        // This user may not enter the folder of pyenv. A gate must work all the same.
        env: {
          ...{ PATH: process.env['PATH'], HOME: home, USER: 'ada', CLEO_FORMAT: 'json' },
          PYENV_ROOT: join(closed, 'pyenv'),
        },
      })
      return { exit: status ?? -1, stdout, stderr }
    }
    const cleo = (args: readonly string[], input?: string) => ran(executable.command[0], args, input)
    const usable = cleo(['version'])
    if (usable.exit !== 0) {
      const reason = `nobody but root may run what was built here: ${usable.stderr}`
      console.warn(`NOT TESTED: ${reason}`)
      skip(reason)
    }
    const allow = (mode: 'u-w' | 'u+w') => ran('chmod', [mode, '.cleo', '.cleo/cleo.db'])
    const makefile = '.PHONY: test lint\ntest:\n\t@echo "1 passed"\nlint:\n\t@echo ok\n'
    ran('sh', ['-c', 'cat > Makefile'], makefile)
    for (const args of ['config --global user.name ada', 'config --global user.email ada@example.com'])
      ran('git', args.split(' '))
    for (const args of ['init -q -b main', 'add Makefile', 'commit -q -m Begin']) ran('git', args.split(' '))
    data(cleo(['init']))
    data(cleo(['add', 'Rights', '--type', 'epic']))
    data(cleo(['add', '--batch'], chain))
    const start = ['run', 'T001', '--agent', 'command', '--command', agent]
    allow('u-w')
    expect(lastLine(cleo(start)).error, 'before the run').toMatchObject({ exit: 3, code: 'store.readonly' })
    allow('u+w')
    expect(lastLine(cleo(start)).error, 'in the run').toMatchObject({
      ...{ exit: 3, code: 'store.readonly' },
      alternatives: expect.arrayContaining(['To go on with the run after that: cleo run resume R001']),
    })
    allow('u+w')
    expect(lastLine(cleo(['run', 'resume', 'R001'])).data).toMatchObject({ state: 'finished', merged: 3 })
    chmodSync(closed, 0o700)
  }))
