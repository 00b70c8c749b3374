import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { criteria, notes } from '../../src/store/columns/tasks.ts'
import { tables } from '../../src/store/tables.ts'
import { withProject } from '../support/project.ts'
import { exported, plant, tablesOf } from '../support/transfer.ts'

test('[PROJ-5] an export is lines of JSON under a header, the same bytes each time', () =>
  withProject(async (project) => {
    await plant(project)
    const document = await exported(project)
    const [first, ...lines] = document.trimEnd().split('\n')
    expect(first).toBe('{"cleo":"export","version":1}')
    const records = lines.map((line) => (JSON.parse(line) as { record: string }).record)
    expect([...new Set(records)]).toEqual(['counter', 'task', 'session', 'claim', 'focus', 'audit'])
    expect(document.endsWith('\n')).toBe(true)
    await project.pass(3_600_000)
    expect(await exported(project)).toBe(document)
  }))

test('[PROJ-5] --out writes a new file or replaces an earlier export, but no other file', () =>
  withProject(async (project) => {
    await plant(project)
    const path = join(project.root, 'shop.jsonl')
    expect(await project.must('admin.export', { out: 'shop.jsonl' })).toEqual({
      path,
      records: (await exported(project)).trimEnd().split('\n').length - 1,
    })
    await project.must('tasks.add', { title: 'Mails' })
    await project.must('admin.export', { out: 'shop.jsonl' })
    expect(readFileSync(path, 'utf8')).toBe(await exported(project))
    writeFileSync(join(project.root, 'notes.txt'), 'mine')
    for (const out of ['notes.txt', '.cleo/cleo.db', '.cleo'])
      expect(await project.call('admin.export', { out })).toMatchObject({ code: 'file.exists', exit: 3 })
    expect(readFileSync(join(project.root, 'notes.txt'), 'utf8')).toBe('mine')
  }))

test('[PROJ-5] every column of the database is in a column table, and so in the export', () =>
  withProject(async (project) => {
    const store = await project.store()
    const stored: Record<string, string[]> = {}
    for (const { name } of await tablesOf(project)) {
      const rows = await store.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name)
      stored[name] = rows.map(({ name }) => name).sort()
    }
    const list = (value: string) => ['pos', 'task', value].sort()
    expect(stored).toEqual({
      ...Object.fromEntries(
        Object.values(tables).map(({ name, columns }) => [name, Object.keys(columns).sort()]),
      ),
      criteria: [...Object.keys(criteria), 'task'].sort(),
      notes: [...Object.keys(notes), 'task'].sort(),
      depends: list('needs'),
      files: list('path'),
      labels: list('label'),
      // Not exported, because CLEO reads it again from the files.
      manifest_files: ['consumed', 'mark', 'path', 'seen'],
      // Not exported, because CLEO counts it again from the tasks.
      task_counts: ['leaf', 'n', 'root', 'status'],
    })
  }))
