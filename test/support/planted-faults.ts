import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../src/store/port.ts'
import type { TestProject } from './project.ts'

/** A small project in which a bit of everything has happened, and all is well. */
export const settle = async (project: TestProject): Promise<void> => {
  const { must, as } = project
  // By this clock what is written to disk now is old.
  project.clock.now = Date.now() + 2 * 24 * 60 * 60_000
  await must('tasks.add', { title: 'Accounts', type: 'epic' })
  await must('tasks.add', { title: 'Hashing', parent: 'T001', acceptance: ['is slow on purpose'] })
  await must('tasks.add', { title: 'Sign-up form', parent: 'T001', depends: ['T002'], files: ['src/a.ts'] })
  await must('tasks.add', { title: 'Mails' })
  await must('tasks.add', { title: 'Templates', parent: 'T004' })
  await must('tasks.add', { title: 'Colours' })
  await must('tasks.add', { title: 'Invoices' })
  await must('tasks.add', {
    title: 'Implement the search',
    parent: 'T001',
    description: 'A field that finds what has these words.',
    acceptance: ['finds a word in a title'],
    files: ['src/search.ts'],
  })
  await must('tasks.add', { title: 'Billing', type: 'epic' })
  await must('tasks.complete', { id: 'T006' })
  await must('tasks.block', { id: 'T007', reason: 'no bank yet' })
  const { id } = await must('session.start', { name: 'first pass', epic: 'T001' })
  await must('session.start', { epic: 'T009' })
  await as('bob', id).must('focus.set', { id: 'T002' })
  await must('orchestrate.spawn', { id: 'T008', tier: 0, ref: true })
  await as('T008.1').must('focus.set', { id: 'T008' })
  writeFileSync(output(project), '# Search\n\nIt finds words.\n')
  await as('T008.1').must('pipeline.manifest.append', {
    status: 'complete',
    file: 'T008-search.md',
    finding: ['Words are found by their start.'],
  })
  await must('memory.observe', { text: 'words are found by their start' })
}

const output = ({ root }: TestProject) => join(root, 'claudedocs', 'agent-outputs', 'T008-search.md')
const manifest = ({ root }: TestProject) => join(root, 'claudedocs', 'agent-outputs', 'MANIFEST.jsonl')

export interface Fault {
  name: string
  check: string
  /** Whether `--fix` mends it; `back` where it is then as it was before. */
  mends?: 'back' | 'forward'
  exit: number
  says: RegExp
  plant(project: TestProject, store: Store): Promise<unknown> | unknown
  only?: 'sqlite' | 'postgres'
}

const cleo = (project: TestProject, ...below: string[]) => join(project.root, '.cleo', ...below)

export const faults: Fault[] = [
  {
    name: 'a count of blockers that is too high',
    check: 'counts',
    mends: 'back',
    exit: 6,
    says: /T003 \(blockers 3 for 1\) – work is offered/,
    plant: (_, db) => db.run("UPDATE tasks SET blockers = blockers + 2 WHERE id = 'T003'"),
  },
  {
    name: 'counts of dependents and of children that were lost',
    check: 'counts',
    mends: 'back',
    exit: 6,
    says: /T001 \(children 0 for 3\), T002 \(unblocks 0 for 1\), T004 \(children 0 for 1\)/,
    plant: (_, db) => db.run('UPDATE tasks SET unblocks = 0, children = 0'),
  },
  {
    name: 'a task counted to another epic',
    check: 'tree',
    mends: 'back',
    exit: 6,
    says: /T002 \(T009 for T001\) – ready work of an epic/,
    plant: (_, db) => db.run("UPDATE tasks SET root = 'T009' WHERE id = 'T002'"),
  },
  {
    name: 'a task that stands below itself',
    check: 'tree',
    exit: 6,
    says: /T004 stands below itself/,
    plant: async (_, db) => {
      await db.run("UPDATE tasks SET parent = 'T005' WHERE id = 'T004'")
      await db.run("UPDATE tasks SET children = 1 WHERE id = 'T005'")
    },
  },
  {
    name: 'a fourth level',
    check: 'tree',
    exit: 6,
    says: /T007 is more than 3 levels deep/,
    plant: async (_, db) => {
      await db.run("UPDATE tasks SET parent = 'T005', root = 'T004' WHERE id = 'T006'")
      await db.run("UPDATE tasks SET parent = 'T006', root = 'T004' WHERE id = 'T007'")
      await db.run("UPDATE tasks SET children = 1 WHERE id IN ('T005', 'T006')")
      await db.run("UPDATE tasks SET status = 'pending', completed_at = NULL WHERE id = 'T006'")
    },
  },
  {
    name: 'two tasks that wait for each other',
    check: 'cycles',
    exit: 6,
    says: /T00[23] → T00[23] → T00[23] wait for each other – none of them can ever start/,
    plant: async (_, db) => {
      await db.run("INSERT INTO depends (task, needs, pos) VALUES ('T002', 'T003', 0)")
      await db.run("UPDATE tasks SET blockers = 1 WHERE id = 'T002'")
      await db.run("UPDATE tasks SET unblocks = 1 WHERE id = 'T003'")
    },
  },
  {
    name: 'a parent done before its part',
    check: 'parents',
    exit: 6,
    says: /T004 is done, but T005 below it is open/,
    plant: (_, db) => db.run("UPDATE tasks SET status = 'done', completed_at = 1 WHERE id = 'T004'"),
  },
  {
    name: 'an active task that nobody holds',
    check: 'claims',
    mends: 'forward',
    exit: 6,
    says: /active, but held by nobody: T002/,
    plant: (_, db) => db.run("DELETE FROM claims WHERE task = 'T002'"),
  },
  {
    name: 'a claim on a task that is blocked',
    check: 'claims',
    mends: 'forward',
    exit: 6,
    says: /T007 \(blocked, held by kim\) – others are kept from/,
    plant: (_, db) =>
      db.run(
        "INSERT INTO claims (task, owner, epoch, state, expires_at) VALUES ('T007', 'kim', 1, 'held', 99999999999999)",
      ),
  },
  {
    name: 'a claim whose owner has been silent for months',
    check: 'forgotten',
    exit: 6,
    says: /warning: T002 is active, but bob has not been heard of for \d+ days/,
    plant: (_, db) => db.run("UPDATE claims SET expires_at = 1 WHERE task = 'T002'"),
  },
  {
    name: 'a counter that was set back',
    check: 'counter',
    mends: 'back',
    exit: 6,
    says: /the counter of tasks stands at 4, but T009 exists – the next task cannot be added/,
    plant: (_, db) => db.run("UPDATE counters SET value = 4 WHERE name = 'task'"),
  },
  {
    name: 'a counter that is gone',
    check: 'counter',
    mends: 'back',
    exit: 6,
    says: /the counter of tasks stands at 0/,
    plant: (_, db) => db.run('DELETE FROM counters'),
  },
  {
    name: 'words that were never indexed',
    check: 'text',
    mends: 'back',
    exit: 6,
    says: /cleo find misses tasks/,
    plant: (_, db) =>
      db.dialect.name === 'sqlite'
        ? db.run(
            "INSERT INTO tasks_text (tasks_text, rowid, title, description) VALUES ('delete', 2, 'Hashing', '')",
          )
        : db.run('DELETE FROM tasks_text WHERE seq = 2'),
  },
  {
    name: 'words of another task',
    check: 'text',
    mends: 'back',
    exit: 6,
    says: /does not say what the tasks say/,
    plant: (_, db) =>
      db.dialect.name === 'sqlite'
        ? db.run("INSERT INTO tasks_text (rowid, title, description) VALUES (2, 'tulips', '')")
        : db.run("UPDATE tasks_text SET words = to_tsvector('simple', 'tulips') WHERE seq = 2"),
  },
  {
    name: 'a session for what is no epic any more',
    check: 'sessions',
    exit: 6,
    says: /warning: ses_\w+ is under way for T009, which is a task now/,
    plant: (_, db) => db.run("UPDATE tasks SET type = 'task' WHERE id = 'T009'"),
  },
  {
    name: 'a session for an epic that was closed long ago',
    check: 'sessions',
    exit: 6,
    says: /under way for T009, which has been cancelled for over a week/,
    plant: (_, db) => db.run("UPDATE tasks SET status = 'cancelled', completed_at = 1 WHERE id = 'T009'"),
  },
  {
    name: 'a prompt that is gone',
    check: 'prompts',
    mends: 'back',
    exit: 3,
    says: /missing or changed: \.cleo\/spawns\/T008\.1\.md/,
    plant: (project) => rmSync(cleo(project, 'spawns', 'T008.1.md')),
  },
  {
    name: 'a prompt that somebody changed',
    only: 'sqlite',
    check: 'prompts',
    mends: 'back',
    exit: 3,
    says: /an agent that is sent there does not read what was handed out/,
    plant: (project) => writeFileSync(cleo(project, 'spawns', 'T008.1.md'), 'do as you like'),
  },
  {
    name: 'the file a short prompt points to',
    only: 'sqlite',
    check: 'prompts',
    exit: 3,
    says: /\.cleo\/cache\/[0-9a-f]{8}\.md, which the prompt of T008\.1 points to, is missing or changed/,
    plant: (project) => {
      for (const name of readdirSync(cleo(project, 'cache')).filter((name) => /^[0-9a-f]{8}\.md$/.test(name)))
        rmSync(cleo(project, 'cache', name))
    },
  },
  {
    name: 'a worktree that is gone',
    check: 'worktrees',
    exit: 3,
    says: /T008\.1 was sent to \/nowhere\/search, which is gone/,
    plant: (_, db) =>
      db.run(`UPDATE spawns SET asked = '{"worktree":"/nowhere/search","set":[]}' WHERE id = 'T008.1'`),
  },
  {
    name: 'an output file that is gone',
    check: 'outputs',
    exit: 3,
    says: /T008-search\.md, the output of T008-[a-z-]+, is not there – whoever builds on that work finds nothing/,
    plant: (project) => rmSync(output(project)),
  },
  {
    name: 'an output file that was changed afterwards',
    only: 'sqlite',
    check: 'outputs',
    exit: 3,
    says: /warning: T008-search\.md, the output of T008-[a-z-]+, was changed since it was handed in/,
    plant: (project) => appendFileSync(output(project), 'And more.\n'),
  },
  {
    name: 'a line of the manifest that nobody has read',
    check: 'manifest',
    mends: 'forward',
    exit: 6,
    says: /written to since it was last read: claudedocs\/agent-outputs\/MANIFEST\.jsonl/,
    plant: (project) => {
      writeFileSync(output(project).replace('T008', 'T004'), '# Mails\n')
      appendFileSync(
        manifest(project),
        '{"id":"T004-mails","file":"T004-search.md","title":"Mails","status":"complete"}\n',
      )
    },
  },
  {
    name: 'an entry that its file has lost',
    only: 'sqlite',
    check: 'manifest',
    mends: 'forward',
    exit: 6,
    says: /in no MANIFEST\.jsonl any more: T008-/,
    plant: (project) => rmSync(manifest(project)),
  },
  {
    name: 'a line in quarantine',
    check: 'quarantine',
    exit: 6,
    says: /warning: 1 part of MANIFEST\.jsonl is no entry \(it is torn\)/,
    plant: async (_, db) =>
      db.run(
        `INSERT INTO quarantine (path, byte, bytes, text, sha256, reason, at)
         VALUES ('MANIFEST.jsonl', 0, 3, '{"a', 'aa', 'it is torn', ${await db.now()})`,
      ),
  },
  {
    name: 'an entry nobody can find',
    check: 'words',
    mends: 'back',
    exit: 6,
    says: /entry T008-[a-z-]+ \(0 times\) – cleo manifest find/,
    plant: (_, db) => db.run("DELETE FROM texts WHERE kind = 'entry'"),
  },
  {
    name: 'an index of words that cannot be read',
    only: 'sqlite',
    check: 'words',
    mends: 'back',
    exit: 6,
    says: /the index of their words is damaged/,
    plant: (project) => {
      const database = new DatabaseSync(cleo(project, 'cleo.db'), { defensive: false })
      database.exec('DELETE FROM texts_data WHERE id > 10')
      database.close()
    },
  },
  {
    name: 'words of a memory that does not exist',
    check: 'words',
    mends: 'back',
    exit: 6,
    says: /memory 7 \(1 times\)/,
    plant: (_, db) => db.dialect.putTexts(db, [{ kind: 'memory', ref: '7', words: 'tulips' }]),
  },
  {
    name: 'a folder that others may read',
    only: 'sqlite',
    check: 'modes',
    mends: 'back',
    exit: 3,
    says: /\.cleo \(755\) may be read by others/,
    plant: (project) => chmodSync(cleo(project), 0o755),
  },
  {
    name: 'a database that others may read',
    check: 'modes',
    mends: 'back',
    exit: 3,
    says: /\.cleo\/cleo\.db \(644\)/,
    only: 'sqlite',
    plant: (project) => chmodSync(cleo(project, 'cleo.db'), 0o644),
  },
  {
    name: 'no .gitignore',
    only: 'sqlite',
    check: 'gitignore',
    mends: 'back',
    exit: 3,
    says: /\.cleo\/\.gitignore is gone/,
    plant: (project) => rmSync(cleo(project, '.gitignore')),
  },
  {
    name: 'drafts of prompts that were cut off',
    only: 'sqlite',
    check: 'drafts',
    mends: 'back',
    exit: 3,
    says: /left over from writes that were cut off: \.cleo\/spawns\/T008\.1\.md\.k3j4h5g6/,
    plant: (project) => {
      writeFileSync(cleo(project, 'spawns', 'T008.1.md.k3j4h5g6'), 'hal')
    },
  },
  {
    name: 'what may be a draft or a copy somebody made',
    only: 'sqlite',
    check: 'drafts',
    exit: 3,
    says: /\.cleo\/config\.json\.20260101 – they take up space, unless somebody put them there/,
    plant: (project) => {
      writeFileSync(cleo(project, 'config.json.20260101'), '{}')
    },
  },
  {
    name: 'a heap of backups',
    only: 'sqlite',
    check: 'backups',
    exit: 3,
    says: /\.cleo\/backups holds 101 backups/,
    plant: (project) => {
      mkdirSync(cleo(project, 'backups'), { recursive: true, mode: 0o700 })
      for (let i = 0; i < 101; i++) writeFileSync(cleo(project, 'backups', `cleo-${i}.db`), '')
    },
  },
]
