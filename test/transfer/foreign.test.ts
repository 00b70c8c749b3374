import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/transfer/document.ts'
import type { ForeignTask } from '../../src/transfer/foreign/foreign-task.ts'
import { toExport } from '../../src/transfer/foreign/to-export.ts'
import { type TestProject, withProject } from '../support/project.ts'
import fc from '../support/properties.ts'

const put = ({ root }: TestProject, files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

const tree = async ({ must }: TestProject): Promise<string[]> => {
  const { tasks } = await must('tasks.list', {
    status: ['pending', 'blocked', 'done', 'cancelled'],
    limit: 0,
  })
  const lines: string[] = []
  for (const { id } of tasks) {
    const { title, type, parent, status, priority, depends } = (await must('tasks.show', { id })) as {
      [name: string]: unknown
    }
    lines.push(
      [id, title, type, parent ?? '-', status, priority, ...((depends as string[]) ?? [])].join(' | '),
    )
  }
  return lines.sort()
}

const notesOf = async ({ must }: TestProject, id: string): Promise<string[]> => {
  const { notes = [] } = (await must('tasks.show', { id })) as { notes?: { text: string }[] }
  return notes.map(({ text }) => text)
}

const taskMaster = {
  master: {
    tasks: [
      {
        id: 1,
        title: 'Set up the repository',
        description: 'Make it build.',
        details: 'Use npm.',
        testStrategy: 'npm test passes.',
        status: 'done',
        priority: 'high',
        dependencies: [],
        subtasks: [],
      },
      {
        id: 2,
        title: 'Sign-in',
        status: 'in-progress',
        dependencies: [1, 99],
        complexityScore: 7,
        subtasks: [
          { id: 1, title: 'Form', status: 'deferred', dependencies: [] },
          {
            id: 2,
            title: 'Handler',
            status: 'pending',
            dependencies: [1, '1'],
            acceptanceCriteria: ['answers 401'],
          },
        ],
      },
    ],
    metadata: { description: 'The main list.' },
  },
  billing: { tasks: [{ id: 1, title: 'Invoices', status: 'cancelled', dependencies: [] }] },
}

test('[PROJ-5] tasks.json of Task Master becomes an epic for each tag, with subtasks, dependencies and texts', () =>
  withProject(async (project) => {
    const { must } = project
    put(project, { '.taskmaster/tasks/tasks.json': JSON.stringify(taskMaster) })
    const { imported, mapped, left } = await must('admin.import', { file: '.taskmaster/tasks/tasks.json' })
    expect(imported).toBe(7)
    expect(mapped).toContainEqual({ from: 'master 2.2', to: 'T006' })
    expect(await tree(project)).toEqual([
      'T001 | master | epic | - | pending | medium',
      'T002 | billing | epic | - | done | medium',
      'T003 | Set up the repository | task | T001 | done | high',
      'T004 | Sign-in | task | T001 | pending | medium | T003',
      'T005 | Form | subtask | T004 | blocked | medium',
      'T006 | Handler | subtask | T004 | pending | medium | T005',
      'T007 | Invoices | task | T002 | cancelled | medium',
    ])
    expect(await must('tasks.show', { id: 'T003' })).toMatchObject({
      description: 'Make it build.\n\n## Details\n\nUse npm.\n\n## Test strategy\n\nnpm test passes.',
    })
    expect(await must('tasks.show', { id: 'T005' })).toMatchObject({ reason: 'deferred in Task Master' })
    expect(await must('tasks.show', { id: 'T006' })).toMatchObject({
      acceptance: [{ text: 'answers 401' }],
    })
    expect(await notesOf(project, 'T004')).toEqual([
      'Imported from Task Master: master 2.\nIt depended on master 99, which is not among the imported tasks.\ncomplexityScore: 7',
    ])
    expect(left.map(({ what, count }) => [what, count])).toEqual([
      ['dependencies', 1],
      ['other fields of tasks', 1],
      ['tasks that were active', 1],
    ])
    expect(await must('admin.doctor', {})).toMatchObject({ fixed: [] })
  }))

const issues = [
  { id: 'bd-1', title: 'Accounts', issue_type: 'epic', status: 'open', priority: 1 },
  {
    id: 'bd-2',
    title: 'Hash passwords',
    issue_type: 'feature',
    status: 'closed',
    priority: 0,
    closed_at: '2026-01-02T10:00:00Z',
    created_at: '2026-01-01T10:00:00Z',
    close_reason: 'argon2id',
    labels: ['api'],
    dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'parent-child' }],
  },
  {
    id: 'bd-3',
    title: 'Form',
    status: 'open',
    priority: 4,
    estimated_minutes: 90,
    acceptance_criteria: '- [x] rejects a bad e-mail\n2. stores a hash',
    comments: [{ author: 'eve', text: 'Ask about the font.', created_at: '2026-01-03T00:00:00Z' }],
    dependencies: [
      { issue_id: 'bd-3', depends_on_id: 'bd-1', type: 'parent-child' },
      { issue_id: 'bd-3', depends_on_id: 'bd-2', type: 'blocks' },
      { issue_id: 'bd-3', depends_on_id: 'bd-4', type: 'discovered-from' },
    ],
  },
  { id: 'bd-4', title: 'Typo in the footer', issue_type: 'bug', status: 'open', priority: 2 },
  { id: 'bd-5', title: 'Gone', status: 'tombstone' },
]
const jsonl = issues.map((issue) => JSON.stringify(issue)).join('\r\n')

test('[PROJ-5] issues of beads keep parents, blockers, comments and times; estimates and deleted issues are named', () =>
  withProject(async (project) => {
    const { must } = project
    put(project, { '.beads/issues.jsonl': jsonl })
    const { left } = await must('admin.import', { file: '.beads' })
    expect(await tree(project)).toEqual([
      'T001 | From beads | epic | - | pending | medium',
      'T002 | Accounts | epic | - | pending | high',
      'T003 | Hash passwords | task | T002 | done | critical',
      'T004 | Form | task | T002 | pending | low | T003',
      'T005 | Typo in the footer | task | T001 | pending | medium',
    ])
    expect(await must('tasks.show', { id: 'T003' })).toMatchObject({
      createdAt: '2026-01-01T10:00:00.000Z',
      completedAt: '2026-01-02T10:00:00.000Z',
      labels: ['api', 'feature'],
    })
    const form = await must('tasks.show', { id: 'T004' })
    expect(form).toMatchObject({
      acceptance: [
        { text: 'rejects a bad e-mail', state: 'open' },
        { text: 'stores a hash', state: 'open' },
      ],
      notes: [
        { text: 'Ask about the font.', by: 'eve', at: expect.any(String) as string },
        { text: 'Imported from beads: bd-3.\nlinks: ["discovered-from bd-4"]' },
      ],
    })
    expect(JSON.stringify(form)).not.toContain('90')
    expect(left.map(({ what, count }) => `${count} ${what}`)).toEqual([
      '1 deleted issues',
      '1 time estimates',
      '1 other fields of tasks',
    ])
    expect(await must('orchestrate.next', {})).toMatchObject({ task: { id: 'T005' } })
  }))

const backlogTask = (fields: string, body: string): string => `---\n${fields}\n---\n\n${body}`

test('[PROJ-5] a Backlog.md folder keeps sections, criteria, drafts, finished and archived tasks', () =>
  withProject(async (project) => {
    const { must } = project
    put(project, {
      'backlog/tasks/readme.md': '# Tasks\n',
      'backlog/tasks/task-1 - Login.md': backlogTask(
        "id: TASK-1\ntitle: 'Login: form'\nstatus: To Do\nassignee: ['@ada']\nlabels: [web ui]\npriority: high\nmilestone: v1\ncreated_date: '2026-01-01 10:00'",
        '## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nPeople sign in.\n<!-- SECTION:DESCRIPTION:END -->\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 rejects a wrong password\n- [x] #2 works without a mouse\n<!-- AC:END -->\n\n## Implementation Plan\n\n1. Look.\n',
      ),
      'backlog/tasks/task-1.1 - Button.md': backlogTask(
        'id: task-1.1\ntitle: Button\nstatus: Waiting\nparent_task_id: task-1\ndependencies: [task-2]',
        '',
      ),
      'backlog/completed/task-2 - Colours.md': backlogTask('id: task-2\ntitle: Colours\nstatus: Done', ''),
      'backlog/drafts/task-3 - Idea.md': backlogTask('id: task-3\ntitle: Idea\nstatus: Draft', ''),
      'backlog/archive/tasks/task-4 - Old.md': backlogTask('id: task-4\ntitle: Old\nstatus: To Do', ''),
    })
    await must('admin.import', { file: 'backlog' })
    expect(await tree(project)).toEqual([
      'T001 | v1 | epic | - | pending | medium',
      'T002 | From Backlog.md | epic | - | pending | medium',
      'T003 | Login: form | task | T001 | pending | high',
      'T004 | Button | subtask | T003 | pending | medium | T006',
      'T005 | Idea | task | T002 | blocked | medium',
      'T006 | Colours | task | T002 | done | medium',
      'T007 | Old | task | T002 | cancelled | medium',
    ])
    expect(await must('tasks.show', { id: 'T003' })).toMatchObject({
      description: 'People sign in.\n\n## Implementation Plan\n\n1. Look.',
      acceptance: [{ text: 'rejects a wrong password' }, { text: 'works without a mouse' }],
      labels: ['web-ui'],
      createdAt: '2026-01-01T10:00:00.000Z',
    })
    expect(await notesOf(project, 'T003')).toEqual([
      'Imported from Backlog.md: TASK-1.\nassignee: ["@ada"]\nlabels: ["web ui"]',
    ])
    expect(await notesOf(project, 'T004')).toEqual(['Imported from Backlog.md: task-1.1.\nstatus: Waiting'])
  }))

test('[PROJ-5] what cannot be read is refused with every place, and nothing is imported', () =>
  withProject(async (project) => {
    const { call, must, root } = project
    const lines = `${jsonl}\n<<<<<<< HEAD\n{"title":"no id"}\n`
    expect(await call('admin.import', { file: lines })).toMatchObject({
      code: 'import.invalid',
      exit: 6,
      problems: [{ path: 'line 6' }, { path: 'line 7' }],
    })
    put(project, {
      'backlog/tasks/task-1 - Bad.md': backlogTask('title: "open', ''),
      'backlog/tasks/task-2 - Good.md': backlogTask('id: task-2\ntitle: Good', ''),
      'secret.md': backlogTask('id: task-3\ntitle: Secret', ''),
    })
    symlinkSync(join(root, 'secret.md'), join(root, 'backlog/tasks/task-3 - Link.md'))
    expect(await call('admin.import', { file: 'backlog' })).toMatchObject({
      problems: [{ path: 'tasks/task-1 - Bad.md, line 3' }],
    })
    put(project, { 'issues.jsonl': jsonl })
    const two = { problems: [{ message: '. holds tasks in issues.jsonl and in backlog; name one of them' }] }
    expect(await call('admin.import', { file: '.' })).toMatchObject(two)
    expect(await call('admin.import', { file: 'backlog/tasks' })).toMatchObject({
      code: 'file.unreadable',
      message: expect.stringContaining(
        'a folder without tasks of Task Master, beads or Backlog.md',
      ) as string,
    })
    expect(await call('admin.import', { file: '{"some":"json"}' })).toMatchObject({ code: 'import.invalid' })
    expect(await must('tasks.list', {})).toMatchObject({ tasks: [] })
  }))

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '', '__proto__')
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constantFrom('', 'x'.repeat(70_000), '- [ ] box'),
)
const foreignTask = fc.record({
  id: ids,
  title: words,
  description: words,
  isEpic: fc.boolean(),
  parent: fc.option(ids, { nil: undefined }),
  group: fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined }),
  status: fc.constantFrom('pending', 'active', 'blocked', 'done', 'cancelled'),
  labels: fc.array(words, { maxLength: 3 }),
  depends: fc.array(ids, { maxLength: 4 }),
  criteria: fc.array(words, { maxLength: 3 }),
  notes: fc.array(fc.record({ text: words }), { maxLength: 2 }),
  updatedAt: fc.option(fc.nat(), { nil: undefined }),
  others: fc.constant({}),
})

test('[PROJ-5] any project of another tool becomes a valid export with all of its tasks', () => {
  fc.assert(
    fc.property(fc.array(foreignTask, { maxLength: 9 }), (tasks) => {
      const source = { tool: 'other', tasks: tasks as ForeignTask[], left: [], problems: [] }
      const translated = toExport(source, 'ada', 1_700_000_000_000)
      if ('problems' in translated) throw new Error('these tasks have few cycles')
      const read = readDocument(translated.text, { limited: true })
      if ('problems' in read) throw new Error(JSON.stringify(read.problems))
      expect(read.document.task).toHaveLength(translated.names.size)
      expect(translated.names.size).toBeGreaterThanOrEqual(tasks.length)
      const done = read.document.task.filter(({ status }) => status === 'done').map(({ id }) => id)
      const open = read.document.task.filter(({ status }) => !['done', 'cancelled'].includes(status))
      expect(open.filter(({ parent }) => done.includes(parent ?? ''))).toEqual([])
    }),
  )
})
