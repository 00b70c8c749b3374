import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { commit, git, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import { call, killedAt } from './killed-at.ts'
import { receiveOnce } from './receive-worker.ts'

/**
 * Kills processes that receive a task, each at a different step: between statements, before and after each git command.
 * The next receive finishes what was begun: the work is merged once, its output is in the project, and nothing is left
 * over.
 */
export const killReceivers = ({ kills }: { kills: number }): Promise<void> =>
  withTemp(async (project) => {
    repository(project)
    await call(project, 'ada', 'admin.init', {})
    await call(project, 'ada', 'tasks.add', { title: 'Forms', type: 'epic' })
    await call(project, 'ada', 'tasks.update', { id: 'T001', completes: 'manual' })
    // Each work begins before the previous one is merged, so that the checks run on merged files.
    let next = await begin(project, 0)
    const advance = async (n: number): Promise<Begun> => {
      const now = next
      next = await begin(project, n)
      await finish(project, now)
      return now
    }
    await receiveOnce({ project, task: (await advance(1)).task, diesAt: 0 })
    const { answer, moments } = await receiveOnce({ project, task: (await advance(2)).task, diesAt: 0 })
    expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
    let killed = 0
    let slowest = 0
    for (let i = 0; i < kills; i++) {
      const begun = await advance(i + 3)
      const diesAt = 1 + Math.floor((i * moments) / kills)
      if (await killedAt('receive-worker.ts', { project, task: begun.task, diesAt })) killed++
      const start = performance.now()
      const { answer: again } = await receiveOnce({ project, task: begun.task, diesAt: 0 })
      slowest = Math.max(slowest, performance.now() - start)
      expect(again, `after a kill at ${diesAt}`).toMatchObject({ ok: true, value: { outcome: 'complete' } })
      check(project, begun, { next, diesAt })
    }
    execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: project, stdio: 'pipe' })
    console.log(
      `receive kills: ${killed} of ${kills}, ${moments} steps; the next receive took ${Math.round(slowest)} ms at most`,
    )
    expect(killed, 'most processes are killed before they end').toBeGreaterThan(kills / 2)
  })

interface Begun {
  task: string
  n: number
  folder: string
}

const begin = async (project: string, n: number): Promise<Begun> => {
  const given = { title: `Form ${n}`, parent: 'T001', description: 'Build it.' }
  const { id: task } = await call<{ id: string }>(project, 'ada', 'tasks.add', given)
  await call(project, 'ada', 'orchestrate.spawn', { id: task, ref: true })
  const { output } = await call<{ output: string }>(project, `${task}.1`, 'focus.set', { id: task })
  writeFileSync(output, readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n'))
  const folder = dirname(dirname(dirname(output)))
  commit(folder, `Build form ${n}`, { [`src/form-${n}.ts`]: `export const form = ${n}\n` })
  return { task, n, folder }
}

const finish = (project: string, { task }: Begun): Promise<unknown> =>
  call(project, `${task}.1`, 'tasks.finish', {
    id: task,
    finding: ['It holds.'],
    noTests: 'A test of merging.',
  })

const check = (
  project: string,
  { task, n, folder }: Begun,
  { next, diesAt }: { next: Begun; diesAt: number },
) => {
  const when = `after a kill at ${diesAt}`
  const merges = git(project, 'log', '--format=%s', '--first-parent', 'main..cleo/T001').split('\n')
  expect(
    merges.filter((subject) => subject === `Merge ${task}.1: Form ${n}`),
    `one merge ${when}`,
  ).toHaveLength(1)
  expect(git(project, 'show', `cleo/T001:src/form-${n}.ts`)).toBe(`export const form = ${n}`)
  const branches = git(project, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  expect(branches, `no branch is left ${when}`).toEqual(['cleo/T001', `cleo/${next.task}.1`, 'main'])
  const left = readdirSync(dirname(folder)).filter((name) => !name.endsWith('.lock'))
  expect(left, `no folder is left ${when}`).toEqual([`${next.task}.1`])
  expect(git(project, 'worktree', 'list').split('\n'), `git knows no other worktree ${when}`).toHaveLength(2)
  const outputs = join(project, 'claudedocs', 'agent-outputs')
  expect(existsSync(join(outputs, `${task}-form-${n}.md`)), `its output is there ${when}`).toBe(true)
  const lines = readFileSync(join(outputs, 'MANIFEST.jsonl'), 'utf8').split('\n')
  expect(
    lines.filter((line) => line.includes(`"spawnId":"${task}.1"`)),
    `one line ${when}`,
  ).toHaveLength(1)
  const database = new DatabaseSync(join(project, '.cleo', 'cleo.db'), { readOnly: true })
  const states = database.prepare('SELECT state FROM merges WHERE task = ? ORDER BY seq').all(task)
  const { merge } = database.prepare('SELECT merge FROM tasks WHERE id = ?').get(task) as { merge: string }
  database.close()
  expect(merge, `merged ${when}`).toBe('merged')
  const last = states.map(({ state }) => state as string).filter((state) => state === 'merged')
  expect(last, `recorded once ${when}`).toHaveLength(1)
}
