import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/doctor.ts'
import { inGit, merged, spawned, type Worked } from '../support/landing.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, commit, git, put } from '../support/subagent.ts'

interface Planted {
  name: string
  check: string
  says: RegExp
  plant(project: TestProject, work: { done: Worked; out: Worked }): Promise<unknown> | unknown
  /** Checks the project after `--fix`. Missing if a person has to fix the problem. */
  fixed?(project: TestProject, work: { done: Worked; out: Worked }): unknown
  /** What the finding says if `--fix` could not fix it. */
  left?: RegExp
}

const head = (root: string, name: string) => git(root, 'rev-parse', name)
const isIn = (root: string, ref: string, path: string, text: string) =>
  expect(git(root, 'show', `${ref}:${path}`)).toBe(text)

const planted: Planted[] = [
  {
    name: 'a worktree whose folder was deleted',
    check: 'worktree-folders',
    says: /the worktree of T004\.1, .* does not exist – its agent cannot work/,
    plant: (_, { out }) => rmSync(out.folder, { recursive: true }),
  },
  {
    name: 'a worktree whose folder was emptied',
    check: 'worktree-folders',
    says: /is not linked to this repository – git would find a repository above it/,
    plant: (_, { out }) => {
      for (const name of readdirSync(out.folder)) rmSync(join(out.folder, name), { recursive: true })
    },
    fixed: (_, { out }) => expect(git(out.folder, 'branch', '--show-current')).toBe('cleo/T004.1'),
  },
  {
    name: 'a worktree that points to where the repository was before',
    check: 'worktree-folders',
    says: /is not linked to this repository – the repository was moved/,
    plant: (_, { out }) => {
      put(out.folder, { 'src/new.ts': 'precious\n' })
      const link = join(out.folder, '.git')
      const name = readFileSync(link, 'utf8').trim().split('/').at(-1)
      writeFileSync(link, `gitdir: /nowhere/.git/worktrees/${name}\n`)
    },
    fixed: (_, { out }) => expect(git(out.folder, 'status', '--porcelain')).toBe('?? src/new.ts'),
  },
  {
    name: 'the worktree of a cancelled task',
    check: 'worktree-idle',
    says: /worktrees that are not needed: T004\.1 \(T004 is cancelled\)/,
    plant: async (project, { out }) => {
      commit(out.folder, 'Write', { 'src/half.ts': 'half\n' })
      await project.must('tasks.cancel', { id: out.task, reason: 'no' })
    },
    fixed: ({ root }, { out }) => {
      expect(existsSync(out.folder)).toBe(false)
      isIn(root, 'refs/cleo/attempts/T004.1', 'src/half.ts', 'half')
    },
  },
  {
    name: 'the worktree of a cancelled task with files in no commit',
    check: 'worktree-idle',
    says: /T004\.1 is not needed \(T004 is cancelled\), but has files in no commit: src\/new\.ts/,
    plant: async (project, { out }) => {
      put(out.folder, { 'src/new.ts': 'precious\n' })
      await project.must('tasks.cancel', { id: out.task, reason: 'no' })
    },
  },
  {
    name: 'a merged task whose worktree is still there',
    check: 'worktree-idle',
    says: /T003\.1 \(T003 is merged\)/,
    plant: async (project, { done }) => {
      git(project.root, 'worktree', 'add', '-q', '-b', 'cleo/T003.1', done.folder, 'cleo/T001')
      await (await project.store()).run(
        "UPDATE worktrees SET state = 'there', slot = 99 WHERE spawn = 'T003.1'",
      )
    },
    fixed: (_, { done }) => expect(existsSync(done.folder)).toBe(false),
  },
  {
    name: 'a worktree without a spawn',
    check: 'worktree-strays',
    says: /worktrees that belong to no spawn: .*T099\.1/,
    plant: ({ root }, { out }) => {
      const folder = join(dirname(out.folder), 'T099.1')
      git(root, 'worktree', 'add', '-q', '--detach', folder)
      put(folder, { 'src/new.ts': 'precious\n' })
    },
    fixed: ({ root }) => isIn(root, 'refs/cleo/attempts/T099.1', 'src/new.ts', 'precious'),
  },
  {
    name: 'a worktree without a spawn that cannot be saved',
    check: 'worktree-strays',
    says: /worktrees that belong to no spawn: .*T099\.1/,
    plant: ({ root }, { out }) => {
      const folder = join(dirname(out.folder), 'T099.1')
      git(root, 'worktree', 'add', '-q', '--detach', folder)
      git(root, 'clone', '-q', root, join(folder, 'inner'))
    },
    left: /could not be fixed: CLEO cannot save the files of .*, the worktree of T099\.1: it contains a repository of its own, inner/,
  },
  {
    name: 'a folder that a killed command was removing',
    check: 'worktree-leftovers',
    says: /folders that killed commands left: T009\.1\.removed-abc123/,
    plant: (_, { out }) => mkdirSync(join(dirname(out.folder), 'T009.1.removed-abc123')),
    fixed: (_, { out }) => expect(existsSync(join(dirname(out.folder), 'T009.1.removed-abc123'))).toBe(false),
  },
  {
    name: 'an integration branch that CLEO did not move',
    check: 'integration',
    says: /cleo\/T001 is at \w{9}, but CLEO left it at \w{9} – CLEO has not checked the commits added since/,
    plant: ({ root }) => git(root, 'update-ref', 'refs/heads/cleo/T001', head(root, 'main')),
    fixed: ({ root }) => {
      expect(head(root, 'refs/cleo/moved/T001-1')).toBe(head(root, 'main'))
      isIn(root, 'cleo/T001', 'src/form.ts', 'form')
    },
  },
  {
    name: 'an integration branch that was deleted',
    check: 'integration',
    says: /the branch cleo\/T001 is gone; its last commit \w{9} still exists/,
    plant: ({ root }) => git(root, 'branch', '-q', '-D', 'cleo/T001'),
    fixed: ({ root }) => isIn(root, 'cleo/T001', 'src/form.ts', 'form'),
  },
  {
    name: 'an integration branch whose commits are gone too',
    check: 'integration',
    says: /the branch cleo\/T001 is gone, and so is its last commit 12345678/,
    plant: async (project) => {
      git(project.root, 'branch', '-q', '-D', 'cleo/T001')
      await (await project.store()).run('UPDATE integrations SET tip = ?', '1234567890'.repeat(4))
    },
  },
  {
    name: 'an integration branch that is checked out',
    check: 'integration',
    says: /cleo\/T001 is checked out in /,
    plant: ({ root }) => git(root, 'switch', '-q', 'cleo/T001'),
  },
  {
    name: 'a landing that was killed',
    check: 'integration',
    says: /a command that moved cleo\/T001 was killed/,
    plant: async ({ root, store }) => {
      const [from, to] = [head(root, 'main'), head(root, 'cleo/T001')]
      const onto = { branch: 'main', from, to, folder: root }
      const landing = JSON.stringify({ was: to, tip: to, onto, tasks: ['T003'], tags: [] })
      await (await store()).run('UPDATE integrations SET landing = ?', landing)
      git(root, 'update-ref', 'refs/heads/main', to, from)
    },
    fixed: ({ root }) => expect(git(root, 'status', '--porcelain', 'src')).toBe(''),
  },
  {
    name: 'the branch of a spawn that ended',
    check: 'worktree-branches',
    says: /branches of spawns that ended: cleo\/T003\.1/,
    plant: ({ root }) => git(root, 'branch', '-q', 'cleo/T003.1', 'main'),
    fixed: ({ root }) => {
      expect(git(root, 'branch', '--list', 'cleo/T003.1')).toBe('')
      expect(head(root, 'refs/cleo/attempts/T003.1')).toBe(head(root, 'main'))
    },
  },
]

/**
 * Returns the refs of git, the names of all worktrees, and the names of the files in the worktree of the task that
 * is out.
 */
const state = ({ root }: TestProject, { out }: { out: Worked }): string[] => [
  git(root, 'for-each-ref', '--format=%(refname) %(objectname)'),
  ...readdirSync(dirname(out.folder)),
  ...(existsSync(out.folder) ? readdirSync(out.folder) : []),
]

onSqlite((withProject) => {
  describe('[TREE-7] [PROJ-6] doctor finds lost and leftover worktrees, and fixes what loses no work', () => {
    for (const { name, check, says, plant, fixed, left: leaves } of planted)
      test(name, () =>
        inGit(withProject)(async (project) => {
          await addTask(project, { title: 'Later' })
          const done = await merged(project, { 'src/form.ts': 'form\n' })
          const work = { done, out: await spawned(project, { title: 'Out' }) }
          expect(await faultsOf(project), 'healthy before').toBeUndefined()
          await plant(project, work)
          const before = state(project, work)
          const found = await faultsOf(project)
          expect(found?.problems.map(({ path }) => path)).toEqual([check])
          expect(found!.problems[0]!.message).toMatch(says)
          await project.as('eve').call('admin.doctor', { fix: true }, { dryRun: true })
          expect(state(project, work), 'a dry run changes nothing').toEqual(before)
          const left = await faultsOf(project, true)
          if (fixed) {
            expect(left, 'fixed').toBeUndefined()
            fixed(project, work)
          } else {
            expect(left?.problems.map(({ path }) => path)).toEqual([check])
            if (leaves) expect(left!.problems[0]!.message).toMatch(leaves)
            expect(state(project, work)).toEqual(before)
          }
        }),
      )
  })
})
