import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../src/store/port.ts'
import type { TestProject } from './project.ts'

/** Makes a small, healthy project with rows of nearly every kind. */
export const settle = async (project: TestProject): Promise<void> => {
  const { must, as } = project
  // Set the clock two days ahead, so that files written now count as old.
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
  /**
   * Set if `--fix` fixes the fault. `back`: the fix restores the state before the fault. `forward`: the fix leads to
   * another healthy state.
   */
  fixes?: 'back' | 'forward'
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
    fixes: 'back',
    exit: 6,
    says: /T003 \(open dependencies: 3 instead of 1\) – cleo ready lists/,
    plant: (_, db) => db.run("UPDATE tasks SET blockers = blockers + 2 WHERE id = 'T003'"),
  },
  {
    name: 'counts of dependents and of children that were lost',
    check: 'counts',
    fixes: 'back',
    exit: 6,
    says: /T001 \(children: 0 instead of 3\), T002 \(open dependents: 0 instead of 1\), T004 \(children: 0 instead of 1\)/,
    plant: (_, db) => db.run('UPDATE tasks SET unblocks = 0, children = 0'),
  },
  {
    name: 'numbers of tasks that are too high',
    check: 'counts',
    fixes: 'back',
    exit: 6,
    says: /CLEO stored wrong numbers of tasks: 3 done instead of 1 in the project, 3 done instead of 1 in T006 – cleo status/,
    plant: (_, db) => db.run("UPDATE task_counts SET n = n + 2 WHERE status = 'done' AND n > 0"),
  },
  {
    name: 'numbers of tasks that are missing',
    check: 'counts',
    fixes: 'back',
    exit: 6,
    says: /CLEO stored wrong numbers of tasks: .*0 blocked instead of 1 in the project/,
    plant: (_, db) => db.run('DELETE FROM task_counts'),
  },
  {
    name: 'a task recorded under another epic',
    check: 'tree',
    fixes: 'back',
    exit: 6,
    says: /T002 \(T009 instead of T001\) is recorded under the wrong epic/,
    plant: (_, db) => db.run("UPDATE tasks SET root = 'T009' WHERE id = 'T002'"),
  },
  {
    name: 'a task that is its own ancestor',
    check: 'tree',
    exit: 6,
    says: /T004 is its own ancestor/,
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
    name: 'a parent done before its child',
    check: 'parents',
    exit: 6,
    says: /T004 is done, but its child T005 is open/,
    plant: (_, db) => db.run("UPDATE tasks SET status = 'done', completed_at = 1 WHERE id = 'T004'"),
  },
  {
    name: 'an active task without a claim',
    check: 'claims',
    fixes: 'forward',
    exit: 6,
    says: /T002 is active but not claimed/,
    plant: (_, db) => db.run("DELETE FROM claims WHERE task = 'T002'"),
  },
  {
    name: 'a claim on a task that is blocked',
    check: 'claims',
    fixes: 'forward',
    exit: 6,
    says: /T007 \(blocked, claimed by kim\) has a claim but is not active/,
    plant: (_, db) =>
      db.run(
        "INSERT INTO claims (task, owner, epoch, state, expires_at) VALUES ('T007', 'kim', 1, 'held', 99999999999999)",
      ),
  },
  {
    name: 'a claim that a wrong clock has made',
    check: 'clock',
    fixes: 'forward',
    exit: 6,
    says: /T002 \(bob, until 5138-.*\) was claimed while the clock was wrong/,
    plant: (_, db) => db.run("UPDATE claims SET expires_at = 99999999999999 WHERE task = 'T002'"),
  },
  {
    name: 'a claim that expired months ago',
    check: 'forgotten',
    exit: 6,
    says: /warning: T002 is active, but bob has not renewed its claim for \d+ days/,
    plant: (_, db) => db.run("UPDATE claims SET expires_at = 1 WHERE task = 'T002'"),
  },
  {
    name: 'a counter that was set back',
    check: 'counter',
    fixes: 'back',
    exit: 6,
    says: /the task counter is 4, but T009 exists – the next task cannot be added/,
    plant: (_, db) => db.run("UPDATE counters SET value = 4 WHERE name = 'task'"),
  },
  {
    name: 'a counter that is missing',
    check: 'counter',
    fixes: 'back',
    exit: 6,
    says: /the task counter is 0/,
    plant: (_, db) => db.run('DELETE FROM counters'),
  },
  {
    name: 'words that were never indexed',
    check: 'text',
    fixes: 'back',
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
    fixes: 'back',
    exit: 6,
    says: /the search index of tasks differs/,
    plant: (_, db) =>
      db.dialect.name === 'sqlite'
        ? db.run("INSERT INTO tasks_text (rowid, title, description) VALUES (2, 'tulips', '')")
        : db.run("UPDATE tasks_text SET words = to_tsvector('simple', 'tulips') WHERE seq = 2"),
  },
  {
    name: 'a session for a task that is no longer an epic',
    check: 'sessions',
    exit: 6,
    says: /warning: session ses_\w+ is active for T009, which is now a task/,
    plant: (_, db) => db.run("UPDATE tasks SET type = 'task' WHERE id = 'T009'"),
  },
  {
    name: 'a session for an epic that was closed long ago',
    check: 'sessions',
    exit: 6,
    says: /active for T009, which has been cancelled for over a week/,
    plant: (_, db) => db.run("UPDATE tasks SET status = 'cancelled', completed_at = 1 WHERE id = 'T009'"),
  },
  {
    name: 'a prompt file that is missing',
    check: 'prompts',
    fixes: 'back',
    exit: 3,
    says: /\.cleo\/spawns\/T008\.1\.md is missing or changed/,
    plant: (project) => rmSync(cleo(project, 'spawns', 'T008.1.md')),
  },
  {
    name: 'a prompt file that was changed',
    only: 'sqlite',
    check: 'prompts',
    fixes: 'back',
    exit: 3,
    says: /an agent does not get the prompt that CLEO recorded for it/,
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
    name: 'a worktree that was removed',
    check: 'worktrees',
    exit: 3,
    says: /the work folder of T008\.1, \/nowhere\/search, does not exist/,
    plant: (_, db) =>
      db.run(`UPDATE spawns SET asked = '{"worktree":"/nowhere/search","set":[]}' WHERE id = 'T008.1'`),
  },
  {
    name: 'an output file that was deleted',
    check: 'outputs',
    exit: 3,
    says: /T008-search\.md, the output of T008-[a-z-]+, does not exist – agents of later tasks cannot read it/,
    plant: (project) => rmSync(output(project)),
  },
  {
    name: 'an output file that was changed afterwards',
    only: 'sqlite',
    check: 'outputs',
    exit: 3,
    says: /warning: T008-search\.md, the output of T008-[a-z-]+, has changed since it was submitted/,
    plant: (project) => appendFileSync(output(project), 'And more.\n'),
  },
  {
    name: 'a manifest line that was not ingested',
    check: 'manifest',
    fixes: 'forward',
    exit: 6,
    says: /claudedocs\/agent-outputs\/MANIFEST\.jsonl has lines that are not ingested yet/,
    plant: (project) => {
      writeFileSync(output(project).replace('T008', 'T004'), '# Mails\n')
      appendFileSync(
        manifest(project),
        '{"id":"T004-mails","file":"T004-search.md","title":"Mails","status":"complete"}\n',
      )
    },
  },
  {
    name: 'an entry whose manifest line was deleted',
    only: 'sqlite',
    check: 'manifest',
    fixes: 'forward',
    exit: 6,
    says: /T008-[a-z-]+ is missing from MANIFEST\.jsonl/,
    plant: (project) => rmSync(manifest(project)),
  },
  {
    name: 'a line in quarantine',
    check: 'quarantine',
    exit: 6,
    says: /warning: 1 part of MANIFEST\.jsonl could not be read as an entry \(it is torn\)/,
    plant: async (_, db) =>
      db.run(
        `INSERT INTO quarantine (path, byte, bytes, text, sha256, reason, at)
         VALUES ('MANIFEST.jsonl', 0, 3, '{"a', 'aa', 'it is torn', ${await db.now()})`,
      ),
  },
  {
    name: 'an entry missing from the search index',
    check: 'words',
    fixes: 'back',
    exit: 6,
    says: /entry T008-[a-z-]+ \(0 times\) – cleo manifest find/,
    plant: (_, db) => db.run("DELETE FROM texts WHERE kind = 'entry'"),
  },
  {
    name: 'a search index that cannot be read',
    only: 'sqlite',
    check: 'words',
    fixes: 'back',
    exit: 6,
    says: /the search index of entries and memories is damaged/,
    plant: (project) => {
      const database = new DatabaseSync(cleo(project, 'cleo.db'), { defensive: false })
      database.exec('DELETE FROM texts_data WHERE id > 10')
      database.close()
    },
  },
  {
    name: 'words of a memory that does not exist',
    check: 'words',
    fixes: 'back',
    exit: 6,
    says: /memory 7 \(1 time\)/,
    plant: (_, db) => db.dialect.putTexts(db, [{ kind: 'memory', ref: '7', words: 'tulips' }]),
  },
  {
    name: 'a folder that other users can read',
    only: 'sqlite',
    check: 'modes',
    fixes: 'back',
    exit: 3,
    says: /other users of this machine can read \.cleo \(755\)/,
    plant: (project) => chmodSync(cleo(project), 0o755),
  },
  {
    name: 'a database that other users can read',
    check: 'modes',
    fixes: 'back',
    exit: 3,
    says: /\.cleo\/cleo\.db \(644\)/,
    only: 'sqlite',
    plant: (project) => chmodSync(cleo(project, 'cleo.db'), 0o644),
  },
  {
    name: 'no .gitignore',
    only: 'sqlite',
    check: 'gitignore',
    fixes: 'back',
    exit: 3,
    says: /\.cleo\/\.gitignore is missing/,
    plant: (project) => rmSync(cleo(project, '.gitignore')),
  },
  {
    name: 'temporary files of interrupted writes',
    only: 'sqlite',
    check: 'drafts',
    fixes: 'back',
    exit: 3,
    says: /temporary files of interrupted writes: \.cleo\/spawns\/T008\.1\.md\.k3j4h5g6/,
    plant: (project) => {
      writeFileSync(cleo(project, 'spawns', 'T008.1.md.k3j4h5g6'), 'hal')
    },
  },
  {
    name: 'a file that may be temporary or a copy made by a person',
    only: 'sqlite',
    check: 'drafts',
    exit: 3,
    says: /\.cleo\/config\.json\.20260101 – they take up space, but a person may have put some of them there/,
    plant: (project) => {
      writeFileSync(cleo(project, 'config.json.20260101'), '{}')
    },
  },
  {
    name: 'what a killed backup and a killed restore leave',
    only: 'sqlite',
    check: 'interrupted',
    fixes: 'forward',
    exit: 3,
    says: /leftovers of killed backups and restores: \.cleo\/restore-0a1b2c3d, \.cleo\/backups\/cleo-2026-01-31T12-00-00Z\.db\.0a1b2c3d/,
    plant: (project) => {
      mkdirSync(cleo(project, 'restore-0a1b2c3d'), { mode: 0o700 })
      writeFileSync(cleo(project, 'restore-0a1b2c3d', 'saved.db'), 'half')
      mkdirSync(cleo(project, 'backups'), { recursive: true, mode: 0o700 })
      writeFileSync(cleo(project, 'backups', 'cleo-2026-01-31T12-00-00Z.db.0a1b2c3d'), 'half')
    },
  },
  {
    name: 'a link where a folder should be',
    check: 'links',
    exit: 3,
    says: /symbolic links: \.cleo\/test-runs – CLEO does not follow them/,
    plant: (project) => {
      mkdirSync(join(project.root, 'elsewhere'), { mode: 0o700 })
      rmSync(cleo(project, 'test-runs'), { recursive: true, force: true })
      symlinkSync(join(project.root, 'elsewhere'), cleo(project, 'test-runs'))
    },
  },
  {
    name: 'a backup outside the project that failed',
    only: 'sqlite',
    check: 'outside',
    exit: 3,
    says: /no backups can be kept outside the project: ENOSPC: no space left – if someone deletes \.cleo\//,
    plant: async (project, store) => {
      const folder = join(project.root, '.home/.local/state/cleo', store.project!)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'failed'), 'ENOSPC: no space left\n')
    },
  },
  {
    name: 'too many backups',
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
