import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { openProject } from '../../src/index.ts'
import { data, type Runtime, run, start } from '../support/cleo.ts'
import { recount } from '../support/recount.ts'
import { withTemp } from '../support/temp.ts'
import { integrity, ledger } from './ledger.ts'
import { firstTasks } from './many-writers.ts'
import type { Acknowledged, Told } from './mixed-writes.ts'
import { startWorker } from './start-worker.ts'

export interface BackupDrillOptions {
  writers: number
  backups: number
  /** How many writes must be acknowledged before the first backup, and between two backups. */
  apart: number
  seed: number
  cleo: Runtime
}

type OpenedProject = ReturnType<typeof openProject>
type Heard = Map<string, Acknowledged[]>

interface Backup {
  path: string
  /** The writes that were acknowledged to each writer before the backup began. */
  before: Heard
  /** The audit log of the backup, filled in when the backup is restored. */
  log: Line[]
}

/**
 * Makes backups while writers write. Restores each backup into a new project, with `cleo init` and `cleo restore`.
 * The restored project must be healthy and contain everything that every writer did up to one moment, in order, and
 * nothing after it.
 */
export const backupDrill = ({ writers, backups, apart, seed, cleo }: BackupDrillOptions): Promise<void> =>
  withTemp(async (home) => {
    const project = join(home, 'live')
    mkdirSync(project)
    const newest = await firstTasks(project)
    const heard: Heard = new Map()
    const crew = Array.from({ length: writers }, (_, i) => {
      const name = `writer-${i}`
      const own: Acknowledged[] = []
      heard.set(name, own)
      const hear = (told: Told) => {
        if ('acknowledged' in told) own.push(told.acknowledged)
      }
      return startWorker('writeUntilAsked', { project, name, seed: seed + i, newest }, hear)
    })
    const failed = Promise.all(crew.map(({ ended }) => ended))
    failed.catch(() => undefined)

    const made: Backup[] = []
    const keeper = openProject({ project, as: 'keeper' })
    // Make one backup before the test begins, to load the code that the next ones need.
    await save(keeper, project, join(home, 'first.db'))
    try {
      for (let n = 1; n <= backups; n++) {
        await Promise.race([reach(heard, n * apart), failed])
        const path = join(home, `backup-${n}.db`)
        const before: Heard = new Map([...heard].map(([name, all]) => [name, [...all]]))
        await save(n % 3 === 1 ? cleo : keeper, project, path)
        made.push({ path, before, log: [] })
      }
      await Promise.race([reach(heard, total(heard) + apart), failed])
    } finally {
      for (const worker of crew) worker.finish()
      await failed
      await keeper.close()
    }

    for (const backup of made) backup.log = restored(backup, home, cleo)
    const path = join(project, '.cleo', 'cleo.db')
    const whole = logOf(path)
    const writes = [...heard.values()].flat().length
    console.log(
      `backups: seed ${seed}, ${writers} writers, ${writes} acknowledged, ${whole.length} lines in the log; ` +
        `backups after ${made.map(({ log }) => log.length).join(', ')} lines`,
    )
    expect(ledger(path, heard).lost, 'no acknowledged write is lost').toEqual([])
    for (const { log } of made) {
      expect(log, 'a backup is a prefix of what was done').toEqual(whole.slice(0, log.length))
      for (const [name, all] of heard)
        expect(
          outOfOrder(log, name, all),
          'each writer’s writes up to one of them, whole and in order',
        ).toEqual([])
    }
    expect(made.at(-1)!.log.length, 'writers went on between the backups').toBeGreaterThan(
      made[0]!.log.length,
    )
    expect(whole.length, 'and after the last one').toBeGreaterThan(made.at(-1)!.log.length)
  })

/**
 * Makes a backup with the command or through an open project. An open project makes the backup at once. A command
 * first has to start, and in that time a write that was acknowledged too early could still arrive. A refusal, for example
 * because the copy is damaged, counts as a loss of acknowledged writes.
 */
const save = async (by: Runtime | OpenedProject, project: string, out: string): Promise<void> => {
  if ('command' in by) {
    const { exit, stdout, stderr } = await start(by, ['backup', '--out', out], { cwd: project })
    expect({ exit, said: stdout + stderr }, kept).toMatchObject({ exit: 0 })
    return
  }
  const saved = await by.call('admin.backup', { out })
  expect(saved.ok ? '' : saved.message, kept).toBe('')
}

const total = (heard: Heard): number => [...heard.values()].reduce((sum, all) => sum + all.length, 0)

const reach = async (heard: Heard, count: number): Promise<void> => {
  while (total(heard) < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

const kept = 'what was acknowledged before a backup is in it'

/**
 * Restores a backup with `cleo init` in a new folder and `cleo restore`. Returns the audit log of the restored
 * project.
 */
const restored = ({ path, before }: Backup, home: string, cleo: Runtime): Line[] => {
  const scratch = `${path.slice(0, -3)}-restored`
  mkdirSync(scratch)
  data(run(cleo, ['init'], { cwd: scratch }))
  // Restoring a damaged backup fails. This too counts as a loss of acknowledged writes.
  const restore = run(cleo, ['restore', path], { cwd: scratch })
  expect({ exit: restore.exit, said: restore.stdout + restore.stderr }, kept).toMatchObject({ exit: 0 })

  const healthy = run(cleo, ['doctor'], { cwd: scratch, env: { HOME: home } })
  expect({ exit: healthy.exit, said: healthy.stdout }, 'doctor finds nothing').toMatchObject({ exit: 0 })
  const copy = join(scratch, '.cleo', 'cleo.db')
  const { lost, broken } = ledger(copy, before)
  expect(lost, kept).toEqual([])
  expect(broken, 'the log of a backup leads to its tables').toEqual([])
  expect(recount(copy), 'the ready index equals a recount').toEqual([])
  expect(integrity(copy)).toBe('ok')
  const log = logOf(copy)
  expect(log.pop(), 'the restore itself is the last thing that was done').toMatchObject({
    operation: 'admin.restore',
  })
  return log
}

interface Line {
  seq: number
  actor: string
  operation: string
  task: string | null
  before: string | null
  after: string | null
}

const logOf = (path: string): Line[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare('SELECT seq, actor, operation, task, before, after FROM audit ORDER BY seq')
      .all() as unknown as Line[]
  } finally {
    database.close()
  }
}

/**
 * Compares the acknowledged writes of one writer with the log, in order. Each write must have all of its lines. The
 * log can end before the last write, but only between two writes.
 */
const outOfOrder = (log: readonly Line[], name: string, told: readonly Acknowledged[]): string[] => {
  const own = log.filter(({ actor }) => actor === name)
  let at = 0
  for (const { op, tasks } of told) {
    if (at === own.length) return []
    const lines = own.slice(at, at + tasks.length)
    const found = lines.map(({ operation, task }) => `${operation} ${task}`).sort()
    const wanted = tasks.map((task) => `${op} ${task}`).sort()
    if (found.join() !== wanted.join()) return [`${name}, line ${at + 1}: ${found} for ${wanted}`]
    at += tasks.length
  }
  return at === own.length ? [] : [`${name} was never told of ${own.length - at} lines`]
}
