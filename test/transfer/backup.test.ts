import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import { startWriters } from '../support/writers.ts'

test('[PROJ-5] a backup holds everything, is private and has the time in its name', () =>
  withProject(async ({ must, root }) => {
    await must('tasks.add', { title: 'Form' })
    const { path, tasks, bytes } = await must('admin.backup', {})
    expect(path).toMatch(/\/\.cleo\/backups\/cleo-2026-01-01T00-00-00Z\.db$/)
    expect(tasks).toBe(1)
    expect(statSync(path)).toMatchObject({ size: bytes })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, '.cleo', 'backups')).mode & 0o777).toBe(0o700)
    const saved = new DatabaseSync(path, { readOnly: true })
    expect(saved.prepare('SELECT title FROM tasks').all()).toEqual([{ title: 'Form' }])
    expect(saved.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    saved.close()
  }))

test('[PROJ-5] two backups of one second get two names', () =>
  withProject(async ({ must, root }) => {
    await must('admin.backup', {})
    await must('admin.backup', {})
    expect(readdirSync(join(root, '.cleo', 'backups'))).toEqual([
      'cleo-2026-01-01T00-00-00Z-2.db',
      'cleo-2026-01-01T00-00-00Z.db',
    ])
  }))

test('[PROJ-5] --out names the file; an existing file is not replaced', () =>
  withProject(async ({ must, call, root }) => {
    expect(await must('admin.backup', { out: 'friday.db' })).toMatchObject({ path: join(root, 'friday.db') })
    writeFileSync(join(root, 'notes.txt'), 'mine')
    expect(await call('admin.backup', { out: 'notes.txt' })).toMatchObject({ code: 'file.exists', exit: 3 })
    expect(await call('admin.backup', { out: '.cleo/cleo.db' })).toMatchObject({ code: 'file.exists' })
    expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('mine')
  }))

test('[PROJ-5] a missing folder is refused and leaves nothing behind', () =>
  withProject(async ({ call, root }) => {
    const before = readdirSync(root)
    expect(await call('admin.backup', { out: 'none/friday.db' })).toMatchObject({
      code: 'file.unwritable',
      exit: 3,
    })
    expect(readdirSync(root)).toEqual(before)
  }))

test('[PROJ-5] a dry run reports what it would save and saves nothing', () =>
  withProject(async ({ must, call, root }) => {
    await must('tasks.add', { title: 'Form' })
    const answer = await call('admin.backup', {}, { dryRun: true })
    expect(answer).toMatchObject({ ok: true, value: { tasks: 1 } })
    expect(readdirSync(join(root, '.cleo', 'backups'))).toEqual([])
  }))

test('[PROJ-5] a backup under eight writers is a prefix of what they wrote', () =>
  withProject(async ({ must, root }) => {
    const writers = startWriters(root, 8)
    try {
      for (const at of [40, 120, 200]) {
        await writers.reach(at)
        const before = [...writers.written]
        const { path, tasks } = await must('admin.backup', { out: `at-${at}.db` })
        const saved = new DatabaseSync(path, { readOnly: true })
        const rows = saved.prepare('SELECT seq, title FROM tasks ORDER BY seq').all() as {
          seq: number
          title: string
        }[]
        const titles = rows.map(({ title }) => title)
        expect(tasks).toBe(rows.length)
        expect(before.filter((title) => !titles.includes(title))).toEqual([])
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
        expect(saved.prepare('SELECT value FROM counters').get()).toEqual({ value: rows.length })
        expect(saved.prepare('SELECT count(*) AS n FROM audit').get()).toEqual({ n: rows.length })
        for (let w = 0; w < 8; w++) {
          const own = titles.filter((title) => title.startsWith(`w${w}-`))
          expect(own).toEqual(own.map((_, n) => `w${w}-${n}`))
        }
        saved.close()
      }
    } finally {
      await writers.stop()
    }
  }))
