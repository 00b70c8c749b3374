import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { executable, type Ran, start } from '../support/cleo.ts'
import { commit, git, repository } from '../support/subagent.ts'
import { together, withTemp } from '../support/temp.ts'
import { random } from './random.ts'

interface Load {
  agents: number
  tasks: number
  /** How many times `receive` is killed with -9 during the play. */
  kills: number
  seed: number
}

/**
 * Uses shells as agents. Each takes a ready task, works in its worktree and submits. Every tenth task changes a line
 * that another task changes too. One orchestrator receives. Conflicting work is sent back, with the conflict named, and
 * solved by a respawn.
 */
export const playAgents = ({ agents, tasks, kills, seed }: Load): Promise<void> =>
  withTemp(async (root) => {
    const play: Play = { root, cleo: (...args) => start(executable, args, { cwd: root }) }
    codeBase(root, tasks)
    await must(play.cleo('init'))
    await must(play.cleo('add', 'Modules', '--type', 'epic', '--description', 'All of them.'))
    const rows = Array.from({ length: tasks }, (_, n) => ({
      title: `Build module ${n}`,
      description: 'Build it.',
      parent: 'T001',
      files: [...new Set([moduleOf(n), moduleOf(sharedWith(n))])],
    }))
    const input = rows.map((row) => JSON.stringify(row)).join('\n')
    await must(start(executable, ['add', '--batch', '-'], { cwd: root, input }))
    const before = git(root, 'rev-parse', 'HEAD', 'HEAD^{tree}')
    const waiting = Array.from({ length: tasks }, (_, n) => n)
    const submitted: number[] = []
    const spawned = new Set<number>()
    const conflicts: string[] = []
    let merged = 0
    let agentsAtWork = agents
    const agent = async () => {
      try {
        for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
          await workOn(play, n, 1, () => spawned.add(n))
          submitted.push(n)
        }
      } finally {
        agentsAtWork--
      }
    }
    const chance = random(seed)
    let left = kills
    const orchestrator = async () => {
      while (merged < tasks) {
        const n = submitted.shift()
        if (n === undefined) {
          // If all agents have ended, nobody will submit the tasks that are left. Return, so that the failure of an
          // agent is reported.
          if (agentsAtWork === 0) return
          await pause(20)
          continue
        }
        // Wait until the partner task is spawned. The two tasks then conflict, however fast the machine is.
        if (hasPartner(n, tasks) && !spawned.has(n + 1) && agentsAtWork > 0) {
          submitted.push(n)
          await pause(20)
          continue
        }
        while (left > 0 && chance.next() < kills / tasks) {
          left--
          await killedReceive(root, n, chance.below(400))
        }
        const answer = await play.cleo('receive', idOf(n))
        if (answer.exit === 0) merged++
        else {
          expect(answer.exit, answer.stdout).toBe(23)
          const other = /conflicts with (T\d+)[^"]* in (src\/module-\d+\.txt)/.exec(answer.stdout)
          expect(other, `the conflict is named: ${answer.stdout}`).not.toBeNull()
          conflicts.push(`${idOf(n)} ${other![1]}`)
          await must(play.cleo('respawn', idOf(n), '--ref'))
          await workOn(play, n, 2)
          submitted.push(n)
        }
      }
    }
    await together([orchestrator(), ...Array.from({ length: agents }, agent)])
    check(root, { tasks, before })
    console.log(
      `agents: ${tasks} tasks merged, ${conflicts.length} conflicts solved, ${kills - left} receives killed`,
    )
    const pairs = Array.from({ length: tasks }, (_, n) => n).filter((n) => hasPartner(n, tasks))
    expect(conflicts.length, 'one of each pair conflicts').toBeGreaterThanOrEqual(pairs.length)
  })

interface Play {
  root: string
  cleo(...args: string[]): Promise<Ran>
}

const must = async (ran: Promise<Ran>): Promise<Ran> => {
  const ended = await ran
  if (ended.exit !== 0) throw new Error(ended.stdout + ended.stderr)
  return ended
}

const idOf = (n: number): string => `T${String(n + 2).padStart(3, '0')}`
const moduleOf = (n: number): string => `src/module-${n}.txt`
/** Every tenth task also changes the module of the task before it. */
const sharedWith = (n: number): number => (n % 10 === 9 ? n - 1 : n)
/** Whether the next task also changes the module of this task. */
const hasPartner = (n: number, tasks: number): boolean => n + 1 < tasks && sharedWith(n + 1) === n

/** Makes a small code base in which every module has a value. Its test checks all modules. */
const codeBase = (root: string, modules: number): void => {
  repository(root)
  mkdirSync(join(root, '.home'), { recursive: true })
  const files = Object.fromEntries(Array.from({ length: modules }, (_, n) => [moduleOf(n), 'value 0\n']))
  commit(root, 'Modules', {
    ...files,
    Makefile: '.PHONY: test lint\ntest:\n\t@sh check.sh\nlint:\n\t@echo "ok"\n',
    'check.sh':
      'if grep -qv "^value [0-9]*$" src/module-*.txt; then echo "1 failed"; exit 1; fi\necho "1 passed"\n',
  })
}

/** Does what an agent does, with the commands of its prompt. */
const workOn = async (
  { root, cleo }: Play,
  n: number,
  attempt: number,
  spawned?: () => void,
): Promise<void> => {
  const id = idOf(n)
  const as = `${id}.${attempt}`
  if (attempt === 1) await must(cleo('spawn', id, '--ref'))
  spawned?.()
  const prompt = readFileSync(join(root, '.cleo', 'spawns', `${as}.md`), 'utf8')
  const folder = /^Work in +(\S+)/m.exec(prompt)![1]!
  const inTree = (...args: string[]) =>
    start(executable, args, { cwd: folder, env: { HOME: join(root, '.home') } })
  const { output } = (
    JSON.parse((await must(inTree('focus', 'set', id, '--as', as))).stdout) as never as {
      data: { output: string }
    }
  ).data
  writeFileSync(output, readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n'))
  const values = new Map([n, sharedWith(n)].map((each) => [moduleOf(each), `value ${n + 1}\n`]))
  commit(folder, `Build module ${n}`, Object.fromEntries(values))
  const finding = ['--finding', 'One.', '--finding', 'Two.', '--finding', 'Three.']
  await must(inTree('finish', id, '--as', as, ...finding, '--no-tests', 'A test of merging.'))
}

/** Starts a receive and kills it after some milliseconds, at whatever step it is. */
const killedReceive = async (root: string, n: number, after: number): Promise<void> => {
  const [program] = executable.command
  const line = `"$0" receive ${idOf(n)} >/dev/null 2>&1 & pid=$!; sleep ${(after / 1000).toFixed(3)}; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; true`
  const env = { PATH: process.env['PATH'], HOME: join(root, '.home'), USER: 'ada', CLEO_FORMAT: 'json' }
  await promisify(execFile)('bash', ['-c', line, program], { cwd: root, env })
}

const check = (root: string, { tasks, before }: { tasks: number; before: string }): void => {
  execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: root, stdio: 'pipe' })
  expect(git(root, 'rev-parse', 'HEAD', 'HEAD^{tree}'), "the user's branch").toBe(before)
  expect(git(root, 'status', '--porcelain', '--untracked-files=no'), 'tracked files of the checkout').toBe('')
  const branches = git(root, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
  expect(branches.split('\n'), 'no branch is left').toEqual(['cleo/T001', 'main'])
  expect(git(root, 'worktree', 'list').split('\n'), 'git knows no other worktree').toHaveLength(1)
  const state = join(root, '.home', '.local', 'state', 'cleo')
  const [project] = readdirSync(state)
  const folders = readdirSync(join(state, project!, 'worktrees')).filter((name) => !name.endsWith('.lock'))
  expect(folders, 'no folder is left').toEqual([])
  const outputs = join(root, 'claudedocs', 'agent-outputs')
  const lines = readFileSync(join(outputs, 'MANIFEST.jsonl'), 'utf8').split('\n').filter(Boolean)
  const entries = lines.map((line) => JSON.parse(line) as { file: string; spawnId: string })
  for (let n = 0; n < tasks; n++) {
    const value = git(root, 'show', `cleo/T001:${moduleOf(n)}`)
    const last = hasPartner(n, tasks) ? [n, n + 1] : [n]
    expect(
      last.map((each) => `value ${each + 1}`),
      `module ${n} has a value of its tasks`,
    ).toContain(value)
    const own = entries.filter(({ spawnId }) => spawnId.startsWith(`${idOf(n)}.`))
    expect(own, `one line of ${idOf(n)}`).toHaveLength(1)
    expect(existsSync(join(outputs, own[0]!.file)), `the output of ${idOf(n)}`).toBe(true)
  }
  const database = new DatabaseSync(join(root, '.cleo', 'cleo.db'), { readOnly: true })
  const unmerged = database.prepare("SELECT id FROM tasks WHERE type <> 'epic' AND merge <> 'merged'").all()
  database.close()
  expect(unmerged, 'every task is merged').toEqual([])
}
