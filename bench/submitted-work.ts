import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { taskId } from '../src/kernel/task-id.ts'
import { countingGit } from './counting-git.ts'
import { type Cost, ratio, succeed, type Trial } from './measure.ts'
import type { Programs } from './programs.ts'
import { placeProject } from './projects.ts'
import type { Row } from './table.ts'

const tasks = 10_000
const rounds = 40

/**
 * Measures what a subagent and its orchestrator do at the end of a task. The manifest of the project has an entry for
 * each task. Some commands ask git which files the spawn changed. These commands are compared with a bare read that
 * starts the same git processes.
 */
export const submittedWork = async (programs: Programs, folder: string): Promise<Row[]> => {
  const shop = await settle(programs, join(folder, 'submitted-work'))
  const plain = [append(shop), verify(shop)]
  const withGit = [complete(shop), finish(shop), receive(shop)]
  const bare = (program: string, ...more: string[]): Trial => ({
    name: 'bare read',
    call: () => ({ program, args: [join('.cleo', 'cleo.db'), 'T5000', ...more], ...shop.at }),
  })
  const { real, commands } = gitOf(shop, withGit)
  const floors = [bare(programs.read), bare(programs.readWithGit, real, JSON.stringify(commands))]
  const costs = programs.clock.interleave([...floors, ...plain, ...withGit], rounds)
  const row = (name: string, cost: Cost | undefined, floor: Cost | undefined): Row => {
    const { wall, cpu } = ratio(cost, floor)
    return { name, values: [wall], cpu: [cpu] }
  }
  const [read, readWithGit, ...rest] = costs
  return [
    ...plain.map(({ name }, i) => row(name, rest[i], read)),
    row('bare read with git', readWithGit, read),
    ...withGit.map(({ name }, i) => row(`${name} / bare read with git`, rest[plain.length + i], readWithGit)),
    ...ingesting(programs, join(folder, 'ingest'), await settle(programs, join(folder, 'ingest'))),
  ]
}

interface Shop {
  cleo: string
  at: { cwd: string; env: Record<string, string> }
  /** Runs a command that is not measured. */
  say(...words: string[]): string
}

const settle = async ({ cleo }: Programs, folder: string): Promise<Shop> => {
  await placeProject(tasks, folder)
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, '.home'), USER: 'bench' }
  rmSync(join(folder, '.git'), { recursive: true })
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
      cwd: folder,
      env,
    })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  writeEntries(join(folder, '.cleo', 'cleo.db'))
  const at = { cwd: folder, env }
  return { cleo, at, say: (...args) => succeed({ program: cleo, args, ...at }).trim() }
}

/**
 * Runs each command once with a `git` that logs every call of git. Returns the git calls of the first command. The
 * other commands must make the same git calls.
 */
const gitOf = (shop: Shop, trials: readonly Trial[]): { real: string; commands: string[][] } => {
  const counting = countingGit(`${shop.at.cwd}-counting`)
  const [first, ...others] = trials.map(({ call }) => {
    const before = counting.calls().length
    const { env, ...measured } = call(0)
    succeed({ ...measured, env: { ...env, PATH: `${counting.folder}:${env['PATH']}` } })
    return counting
      .calls()
      .slice(before)
      .map(({ args }) => args)
      .toSorted((a, b) => (a.join() < b.join() ? -1 : 1))
  })
  for (const other of others)
    if (JSON.stringify(other) !== JSON.stringify(first)) throw new Error('the commands call git differently')
  return { real: counting.real, commands: first! }
}

/** Stores one entry for each task, as `manifest append` would. */
const writeEntries = (path: string): void => {
  const database = new DatabaseSync(path)
  database.exec('BEGIN')
  const insert = database.prepare(
    `INSERT INTO entries (id, task, status, body, sha256, appended_at, line_sha256) VALUES (?, ?, 'complete', ?, 'x', ?, ?)`,
  )
  const texts = database.prepare("INSERT INTO texts (kind, ref, words) VALUES ('entry', ?, ?)")
  for (let n = 2; n <= tasks; n++) {
    const id = `${taskId(n)}-done`
    const body = entryText(id, n)
    insert.run(id, taskId(n), body, n, `line ${n}`)
    texts.run(id, body)
  }
  database.exec('COMMIT')
  database.close()
}

const entryText = (id: string, n: number): string =>
  JSON.stringify({
    id,
    file: `${id}.md`,
    title: `What came of task ${n}`,
    date: '2026-01-01',
    status: 'complete',
    agent_type: 'research',
    key_findings: ['One sentence.', `Another one on ${n}.`, 'And a third.'],
    actionable: true,
  })

const findings = ['--finding', 'It holds.', '--finding', 'It holds twice.', '--finding', 'It holds always.']

/** Adds, spawns and starts a task, and fills in its output file. */
const begun = ({ say }: Shop): { id: string; as: [string, string] } => {
  const id = say(
    ...['add', 'Compare two ways', '--parent', 'T001', '--labels', 'research'],
    ...['--description', 'Which of them is it?', '--field', 'id'],
  )
  const as: [string, string] = ['--as', say('spawn', id, '--ref', '--field', 'spawnId')]
  say('focus', 'set', id, ...as)
  const path = say('output', 'new', id, '--field', 'path', ...as)
  const text = readFileSync(path, 'utf8')
    .replace('## Summary\n', '## Summary\n\nIt is the first.\n')
    .replace('## References\n', '## References\n\n- RFC 9106\n')
  writeFileSync(path, text)
  return { id, as }
}

const submitted = (shop: Shop) => {
  const { id, as } = begun(shop)
  shop.say('manifest', 'append', '--status', 'complete', ...findings, ...as)
  return { id, as }
}

const trial = (shop: Shop, name: string, words: () => string[]): Trial => ({
  name,
  call: () => ({ program: shop.cleo, args: words(), ...shop.at }),
})

const append = (shop: Shop): Trial =>
  trial(shop, 'manifest append', () => {
    const { as } = begun(shop)
    return ['manifest', 'append', '--status', 'complete', ...findings, ...as]
  })

const verify = (shop: Shop): Trial =>
  trial(shop, 'verify', () => {
    const { id, as } = submitted(shop)
    const outputs = 'claudedocs/agent-outputs'
    const file = readdirSync(join(shop.at.cwd, outputs)).find((name) => name.startsWith(`${id}-`))!
    return ['verify', id, '--gate', 'documented', '--evidence', `files:${outputs}/${file}`, ...as]
  })

const complete = (shop: Shop): Trial =>
  trial(shop, 'complete, submitted', () => {
    const { id, as } = submitted(shop)
    return ['complete', id, ...as]
  })

/** `finish` runs no tools here, because the task is research, whose evidence is the output file. */
const finish = (shop: Shop): Trial =>
  trial(shop, 'finish, without tools', () => {
    const { id, as } = begun(shop)
    return ['finish', id, ...findings, ...as]
  })

const receive = (shop: Shop): Trial =>
  trial(shop, 'receive', () => {
    const { id } = submitted(shop)
    return ['receive', id, '--message', 'Research complete. See MANIFEST.jsonl for summary.']
  })

const megabyte = 1 << 20

/** Measures the ingest of lines appended by hand. Twice the lines should take twice the time and no more memory. */
const ingesting = ({ clock }: Programs, folder: string, shop: Shop): Row[] => {
  const path = join(folder, 'claudedocs', 'agent-outputs', 'MANIFEST.jsonl')
  mkdirSync(join(path, '..'), { recursive: true })
  const sync = { name: 'sync', call: () => ({ program: shop.cleo, args: ['manifest', 'sync'], ...shop.at }) }
  let written = 0
  /** Appends lines of about one kilobyte, each a new entry of some task. */
  const fill = (megabytes: number): void => {
    for (let i = 0; i < megabytes; i++) {
      const lines: string[] = []
      for (let size = 0; size < megabyte; ) {
        const task = taskId(2 + (written % (tasks - 1)))
        const id = `${task}-by-hand-${written++}`
        const entry = JSON.parse(entryText(id, written)) as object
        const line = `${JSON.stringify({ ...entry, more: 'x'.repeat(700) })}\n`
        lines.push(line)
        size += line.length
      }
      appendFileSync(path, lines.join(''))
    }
  }
  const timed = (megabytes: number) => {
    fill(megabytes)
    return clock.run(sync.call())
  }
  writeFileSync(path, '')
  const half = timed(50)
  const whole = timed(100)
  return [
    { name: 'ingest, 100 MB / 50 MB', values: [whole.wall / half.wall], cpu: [whole.cpu / half.cpu] },
    { name: 'ingest of 100 MB, megabytes at most', values: [whole.memory] },
  ]
}
