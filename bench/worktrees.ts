import { spawn as startProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { succeed, type Trial } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row } from './table.ts'

const files = 10_000
const rounds = 10
const filesOfMany = 200
const recoveries = 5

/**
 * Measures what CLEO adds to the cost of git. A spawn with its worktree is compared with `git worktree add` plus a
 * spawn in the checkout. The merge of many branches is compared with git's plumbing; both sides remove the worktrees
 * and run no checks. The last row is how long `receive` takes after an earlier `receive` was killed.
 */
export const worktreeCosts = async (programs: Programs, folder: string, branches = 200): Promise<Row[]> => [
  spawning(programs, join(folder, 'trees-spawn')),
  merging(programs, join(folder, 'trees-merge'), branches),
  await recovering(programs, join(folder, 'trees-kill')),
]

interface Shop {
  at: { cwd: string; env: Record<string, string> }
  cleo(...words: string[]): string
  git(...words: string[]): string
}

/** Creates a repository with small files, and a CLEO project in it. The tasks of the project need no tools. */
const settle = ({ cleo }: Programs, folder: string, count: number): Shop => {
  for (let n = 0; n < count; n++) {
    const at = join(folder, 'src', `part-${n % 100}`)
    if (n < 100) mkdirSync(at, { recursive: true })
    writeFileSync(join(at, `file-${n}.ts`), `export const value = ${n}\n`)
  }
  mkdirSync(join(folder, '.cleo'))
  const config = { gates: { required: { implementation: ['implemented'] } } }
  writeFileSync(join(folder, '.cleo', 'config.json'), JSON.stringify(config))
  writeFileSync(join(folder, '.gitignore'), '.home/\n.cleo/\n')
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, '.home'), USER: 'bench' }
  mkdirSync(env.HOME)
  writeFileSync(join(env.HOME, '.gitconfig'), '[user]\nname = a\nemail = a@example.invalid\n[gc]\nauto = 0\n')
  const at = { cwd: folder, env }
  const shop: Shop = {
    at,
    cleo: (...args) => succeed({ program: cleo, args, ...at }).trim(),
    git: (...args) => succeed({ program: 'git', args, ...at }).trim(),
  }
  shop.git('init', '--quiet', '--initial-branch=main')
  shop.cleo('init')
  shop.cleo('trust', '--yes')
  shop.git('add', '--all')
  shop.git('commit', '--quiet', '--message', 'first')
  shop.cleo('add', 'Everything', '--type', 'epic', '--description', 'All of it.')
  shop.cleo('update', 'T001', '--completes', 'manual')
  return shop
}

const addTask = ({ cleo }: Shop, title: string): string =>
  cleo('add', title, '--parent', 'T001', '--description', 'Build it.', '--field', 'id')

const spawning = (programs: Programs, folder: string): Row => {
  const shop = settle(programs, folder, files)
  let made = 0
  const spawn = (name: string, more: readonly string[]): Trial => ({
    name,
    call: () => {
      const args = ['spawn', addTask(shop, `Build ${made++}`), '--ref', ...more]
      return { program: programs.cleo, args, ...shop.at }
    },
  })
  const trials: Trial[] = [
    {
      name: 'git worktree add',
      call: () => {
        const target = join(shop.at.env['HOME']!, `tree-${made++}`)
        const args = ['worktree', 'add', '--quiet', '--no-track', '-b', `plain-${made}`, target, 'main']
        return { program: 'git', args, ...shop.at }
      },
    },
    spawn('spawn --here', ['--here']),
    spawn('spawn', []),
  ]
  const [git, here, whole] = programs.clock.interleave(trials, rounds)
  const sum = { wall: git!.wall[0] + here!.wall[0], cpu: git!.cpu[0] + here!.cpu[0] }
  return {
    name: 'spawn with worktree, 10,000 files / git worktree add and spawn --here',
    values: [whole!.wall[0] / sum.wall],
    cpu: [whole!.cpu[0] / sum.cpu],
  }
}

/** Spawns a task, commits one file in its worktree and finishes it. */
const finishTask = (shop: Shop, n: number): string => {
  const id = addTask(shop, `Build ${n}`)
  const as = ['--as', shop.cleo('spawn', id, '--ref', '--field', 'spawnId')]
  const output = shop.cleo('focus', 'set', id, ...as, '--field', 'output')
  writeFileSync(output, readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nBuilt.\n'))
  const tree = output.slice(0, output.indexOf('/claudedocs/'))
  writeFileSync(join(tree, `new-${n}.ts`), `export const value = ${n}\n`)
  shop.git('-C', tree, 'add', '--all')
  shop.git('-C', tree, 'commit', '--quiet', '--message', `Build ${n}`)
  shop.cleo('finish', id, '--finding', 'It is built.', '--no-tests', 'A bench.', ...as)
  return id
}

const merging = (programs: Programs, folder: string, branches: number): Row => {
  // Use few files, because CLEO and plain git each have a worktree for every branch.
  const shop = settle(programs, folder, filesOfMany)
  const lines = ['set -e', 'tip=$(git rev-parse main)', 'git update-ref refs/heads/plain $tip']
  for (let n = 0; n < branches; n++) {
    finishTask(shop, n)
    const tree = join(shop.at.env['HOME']!, `tree-${n}`)
    shop.git('worktree', 'add', '--quiet', '--lock', '--no-track', '-b', `plain-${n}`, tree, 'main')
    writeFileSync(join(tree, `new-${n}.ts`), `export const value = ${n}\n`)
    shop.git('-C', tree, 'add', '--all')
    shop.git('-C', tree, 'commit', '--quiet', '--message', `Build ${n}`)
    lines.push(
      `tree=$(git merge-tree --write-tree $tip plain-${n})`,
      `new=$(git commit-tree $tree -p $tip -p plain-${n} -m "Merge ${n}")`,
      'git update-ref refs/heads/plain $new $tip',
      'tip=$new',
      `git worktree remove --force --force ${tree}`,
      `git update-ref -d refs/heads/plain-${n}`,
    )
  }
  const script = join(shop.at.env['HOME']!, 'plumbing.sh')
  writeFileSync(script, `${lines.join('\n')}\n`)
  const plain = programs.clock.run({ program: 'sh', args: [script], ...shop.at })
  const merged = programs.clock.run({ program: programs.cleo, args: ['receive', '--all'], ...shop.at })
  const count = shop.git('log', '--format=%s', '--first-parent', 'main..cleo/T001').split('\n').length
  if (count !== branches) throw new Error(`${count} of ${branches} branches were merged`)
  return {
    name: `${branches} branches merged / git plumbing`,
    values: [merged.wall / plain.wall],
    cpu: [merged.cpu / plain.cpu],
  }
}

const recovering = async (programs: Programs, folder: string): Promise<Row> => {
  const shop = settle(programs, folder, files)
  let slowest = 0
  for (let n = 0; n < recoveries; n++) {
    const id = finishTask(shop, n)
    const { cwd, env } = shop.at
    const child = startProcess(programs.cleo, ['receive', id], { cwd, env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => setTimeout(resolve, 30 + 40 * n))
    child.kill('SIGKILL')
    await ended
    slowest = Math.max(
      slowest,
      programs.clock.run({ program: programs.cleo, args: ['receive', id], ...shop.at }).wall,
    )
  }
  return { name: 'receive after kill -9, milliseconds at most', values: [slowest] }
}
