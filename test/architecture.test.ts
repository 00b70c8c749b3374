import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../scripts/operations.ts'
import { type Check, checks, type RepositoryFile, readRepository } from './support/architecture.ts'

type CheckName = keyof typeof checks

const roomsOf = (json: string): string[] => (JSON.parse(json) as [string, string][]).map(([name]) => name)

describe('the sources keep the architecture', () => {
  const rooms = roomsOf(readFileSync('src/rooms.json', 'utf8'))
  const files = globSync(['src/**/*.ts', 'test/**/*.test.ts']).map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))
  const repository = readRepository(rooms, files)

  test('every source is read', () => {
    expect(repository.sources.length).toBeGreaterThan(300)
    expect(repository.sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(1000)
    expect(repository.sources.flatMap(({ operations }) => operations).length).toBeGreaterThan(60)
  })

  test.each(Object.entries(checks) as [CheckName, Check][])('%s', (_name, check) => {
    expect(check(repository)).toEqual([])
  })

  test('[OPS-1] every operation has a file of its name, and no two share a name or a command', async () => {
    const operations = await allOperations()
    const read = repository.sources.flatMap(({ operations }) => operations)
    expect(operations.map(({ operation }) => operation.name).sort()).toEqual(read.sort())
    for (const one of ['name', 'command'] as const) {
      const all = operations.map(({ operation }) => (one === 'name' ? operation.name : operation.cli.command))
      expect(all.filter((each, i) => all.indexOf(each) !== i)).toEqual([])
    }
  })
})

/** A small repository that breaks no rule. */
const clean: RepositoryFile[] = [
  { path: 'src/kernel/id.ts', text: 'export const id = (n: number) => `T${n}`' },
  {
    path: 'src/host/files.ts',
    text: "import { readFileSync } from 'node:fs'\nprocess.exit(readFileSync('x').length)",
  },
  {
    path: 'src/store/sqlite/open.ts',
    text: "import { DatabaseSync } from 'node:sqlite'\nexport const all = 'SELECT id FROM tasks'",
  },
  {
    path: 'src/tasks/sql.ts',
    text: "import { id } from '../kernel/id.ts'\nexport const one = `SELECT * FROM tasks WHERE id = ${id(1)}`",
  },
  {
    path: 'src/tasks/ops/add.ts',
    text: "import { one } from '../sql.ts'\nexport const add = operation({ name: 'tasks.add', run: () => one, process: 1 })",
  },
  {
    path: 'src/surface/generated/load.ts',
    text: "export const load = () => import('../../tasks/ops/add.ts')",
  },
  {
    path: 'src/main.ts',
    text: "import { load } from './surface/generated/load.ts'\nprocess.exitCode = Number(load)",
  },
  { path: 'test/tasks/add.test.ts', text: '' },
]
const rooms = ['kernel', 'host', 'store', 'tasks', 'surface']

/** The clean repository with files added or replaced. */
const planted = (...files: [path: string, text: string][]) =>
  readRepository(rooms, [
    ...clean.filter(({ path }) => !files.some(([other]) => other === path)),
    ...files.map(([path, text]) => ({ path, text })),
  ])

const cases: Record<CheckName, [what: string, path: string, text: string][]> = {
  'every folder of src is a room, and every room is a folder': [
    ['a folder that is not a room', 'src/utils/a.ts', ''],
  ],
  'imports go down the order of rooms': [
    ['a static import', 'src/kernel/a.ts', "import { one } from '../tasks/sql.ts'"],
    ['an import for its effect', 'src/kernel/a.ts', "import '../tasks/sql.ts'"],
    ['a re-export', 'src/kernel/a.ts', "export { one } from '../tasks/sql.ts'"],
    ['a re-export of everything', 'src/kernel/a.ts', "export * from '../tasks/sql.ts'"],
    ['a dynamic import', 'src/kernel/a.ts', "export const a = () => import('../tasks/sql.ts')"],
    ['a dynamic import in a template', 'src/kernel/a.ts', 'export const a = () => import(`../tasks/sql.ts`)'],
    ['a type import', 'src/kernel/a.ts', "import type { One } from '../tasks/sql.ts'"],
    ['an inline type import', 'src/kernel/a.ts', "export type A = import('../tasks/sql.ts').One"],
    ['typeof import()', 'src/kernel/a.ts', "export type A = typeof import('../tasks/sql.ts')['one']"],
    ['an import of main', 'src/kernel/a.ts', "import '../main.ts'"],
  ],
  'no ring of rooms': [['a ring of two rooms', 'src/kernel/id.ts', "import '../tasks/sql.ts'"]],
  'no ring of folders': [['a ring of two folders', 'src/tasks/read-task.ts', "import './ops/add.ts'"]],
  'no ring of files': [
    ['a ring through a type', 'src/kernel/id.ts', "import type { A } from '../tasks/sql.ts'"],
  ],
  'every import names its file': [
    [
      'a template with a part that varies',
      'src/tasks/a.ts',
      'export const a = (x: string) => import(`./${x}.ts`)',
    ],
    ['a variable', 'src/tasks/a.ts', 'export const a = (x: string) => import(x)'],
  ],
  'an operation imports no operation': [
    ['of its room', 'src/task-lists/ops/list.ts', "import { add } from './add.ts'"],
    ['of another room', 'src/surface/ops/list.ts', "export const a = () => import('../../tasks/ops/add.ts')"],
  ],
  'only generated code imports from ops/': [
    ['a file of the room', 'src/tasks/a.ts', "import { add } from './ops/add.ts'"],
    ['the type of an operation', 'src/surface/a.ts', "export type A = typeof import('../tasks/ops/add.ts')"],
  ],
  'fs, child_process, os and net are used only in host': [
    ['node:fs', 'src/tasks/a.ts', "import { readFileSync } from 'node:fs'"],
    ['fs without node:', 'src/tasks/a.ts', "import { readFileSync } from 'fs'"],
    ['node:fs/promises', 'src/store/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['fs/promises', 'src/store/a.ts', "export const a = () => import('fs/promises')"],
    ['a type of fs', 'src/tasks/a.ts', "import type { Stats } from 'node:fs'"],
    ['child_process', 'src/tasks/a.ts', "import { spawn } from 'node:child_process'"],
    ['os', 'src/main.ts', "import { homedir } from 'os'"],
    ['net', 'src/surface/a.ts', "import net from 'node:net'"],
    ['require', 'src/tasks/a.ts', "const fs = require('fs')"],
  ],
  'node:sqlite is used only in store/sqlite': [
    ['elsewhere in the store', 'src/store/a.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['in a room', 'src/tasks/sql.ts', "export const a = () => import('node:sqlite')"],
    ['of Bun', 'src/tasks/sql.ts', "import { Database } from 'bun:sqlite'"],
  ],
  'process is used only in main.ts and host': [
    ['the global', 'src/tasks/a.ts', 'export const a = process.env'],
    ['of globalThis', 'src/tasks/a.ts', 'export const a = globalThis.process'],
    ['the module', 'src/tasks/a.ts', "import { env } from 'node:process'"],
    ['the module without node:', 'src/tasks/a.ts', "import p from 'process'"],
    ['a shorthand property', 'src/tasks/a.ts', 'export const a = { process }'],
  ],
  'SQL is only in store and sql files': [
    ['a query', 'src/tasks/a.ts', "export const a = 'SELECT id FROM tasks'"],
    ['a query in a template', 'src/tasks/a.ts', 'export const a = (t: string) => `DELETE FROM ${t}`'],
    ['an update', 'src/tasks/ops/a.ts', "export const a = 'UPDATE tasks SET title = ?'"],
    ['over several lines', 'src/tasks/a.ts', 'export const a = `\n  SELECT id\n  FROM tasks`'],
    ['a pragma', 'src/surface/a.ts', "export const a = 'PRAGMA user_version'"],
  ],
  'the store names no operation': [
    ['a string', 'src/store/sqlite/open.ts', "export const a = (name: string) => name === 'tasks.add'"],
    ['a template', 'src/store/a.ts', 'export const a = `tasks.add`'],
  ],
  'pure rooms use no clock, no randomness and no Node module but path': [
    ['Date.now', 'src/kernel/a.ts', 'export const a = Date.now()'],
    ['new Date', 'src/kernel/a.ts', 'export const a = new Date()'],
    ['Math.random', 'src/kernel/a.ts', 'export const a = Math.random'],
    ['crypto', 'src/kernel/a.ts', 'export const a = crypto.randomUUID()'],
    ['of globalThis', 'src/kernel/a.ts', 'export const a = globalThis.crypto'],
    ['a timer', 'src/kernel/a.ts', 'setTimeout(() => 1, 1)'],
    ['node:crypto', 'src/kernel/a.ts', "import { randomUUID } from 'node:crypto'"],
  ],
  'no file is longer than 300 lines': [['301 lines', 'src/tasks/a.ts', '//\n'.repeat(301)]],
  'every operation has a test file of its name': [
    [
      'an operation without one',
      'src/task-lists/ops/list.ts',
      "export const list = operation({ name: 'tasks.list' })",
    ],
  ],
}

describe('each check catches what it is for', () => {
  test.each(Object.entries(checks) as [CheckName, Check][])(
    'nothing in a clean repository: %s',
    (_, check) => {
      expect(check(planted())).toEqual([])
    },
  )

  const all = Object.entries(cases).flatMap(([name, each]) =>
    each.map((planting) => [name as CheckName, ...planting] as const),
  )
  test.each(all)('%s: %s', (name, _what, path, text) => {
    const check: Check = checks[name]
    expect(check(planted([path, text]))).toHaveLength(1)
  })

  test('a room without a folder', () => {
    const check = checks['every folder of src is a room, and every room is a folder']
    expect(check({ ...planted(), rooms: [...rooms, 'attic'] })).toEqual(['attic has no folder'])
  })

  test('what only looks like a violation is not one', () => {
    const repository = planted([
      'src/kernel/a.ts',
      [
        "// import { one } from '../tasks/sql.ts'",
        'export const text = "import { readFileSync } from \'node:fs\'"',
        'export const a = { process: 1, crypto: 2 }',
        'export const b = a.process + new Date(0).getTime()',
        "export const c = 'Select a task to update and set it.'",
      ].join('\n'),
    ])
    expect(Object.values(checks).flatMap((check: Check) => check(repository))).toEqual([])
  })
})
