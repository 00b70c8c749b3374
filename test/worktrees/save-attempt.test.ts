import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  leftovers,
  onBranch,
  place,
  put,
  receive,
  rowOf,
  work,
} from '../support/worktrees.ts'

const saved = ({ root }: TestProject, spawn: string, path: string): string | undefined =>
  onBranch(root, `refs/cleo/attempts/${spawn}`, path)

onSqlite((withProject) => {
  test('[TREE-5] a superseded attempt is kept as a ref, with uncommitted and output files', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const first = await place(project, one!)
      const output = await work(first, { 'src/done.txt': 'committed\n' })
      put(first.folder, { 'src/open.txt': 'not committed\n', 'src/a.ts': 'export const a = 9\n' })
      await project.must('orchestrate.spawn', { id: one!, ref: true, replace: true })
      expect((await rowOf(project, first.id))!.state).toBe('gone')
      expect(existsSync(first.folder)).toBe(false)
      expect(branches(project.root)).toEqual(['cleo/T001', `cleo/${one}.2`, 'main'])
      expect(saved(project, first.id, 'src/done.txt')).toBe('committed')
      expect(saved(project, first.id, 'src/open.txt')).toBe('not committed')
      expect(saved(project, first.id, 'src/a.ts')).toBe('export const a = 9')
      expect(saved(project, first.id, output.slice(first.folder.length + 1))).toContain('It is done.')
      git(project.root, 'gc', '--quiet', '--prune=now')
      expect(saved(project, first.id, 'src/open.txt'), 'gc leaves it').toBe('not committed')
    }))
})

describe('nothing is lost with a worktree', () => {
  /** Plays an agent that does something unusual after it has finished its work, and receives the work. */
  const received = (
    odd: (folder: string) => void,
    look: (project: TestProject, id: string, folder: string) => void,
  ) =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await build(project, one!, { 'src/one.txt': 'one\n' })
      odd(placed.folder)
      const answer = await receive(project, one!)
      expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
      expect(onBranch(project.root, 'cleo/T001', 'src/one.txt')).toBe('one')
      look(project, placed.id, placed.folder)
    })

  test('[TREE-5] untracked files that the agent left are saved', () =>
    received(
      (folder) => put(folder, { 'notes/later.txt': 'later\n' }),
      (project, id, folder) => {
        expect(saved(project, id, 'notes/later.txt')).toBe('later')
        expect(onBranch(project.root, 'cleo/T001', 'notes/later.txt')).toBeUndefined()
        expect(existsSync(folder)).toBe(false)
      },
    ))

  test('[TREE-6] further files of the output folder are saved', () =>
    received(
      (folder) => put(folder, { 'claudedocs/agent-outputs/diagram.svg': '<svg/>\n' }),
      (project, id) => expect(saved(project, id, 'claudedocs/agent-outputs/diagram.svg')).toBe('<svg/>'),
    ))

  test('[TREE-5] commits that are on no branch are saved', () =>
    received(
      (folder) => {
        git(folder, 'switch', '-q', '--detach')
        commit(folder, 'Aside', { 'src/aside.txt': 'aside\n' })
      },
      (project, id) => {
        expect(saved(project, id, 'src/aside.txt')).toBe('aside')
        expect(onBranch(project.root, 'cleo/T001', 'src/aside.txt')).toBeUndefined()
      },
    ))

  test('[TREE-5] a repository inside the worktree, which git cannot save, keeps the folder', () =>
    received(
      (folder) => {
        git(folder, 'init', '-q', join(folder, 'vendor'))
        commit(join(folder, 'vendor'), 'Vendor', { 'v.txt': 'v\n' })
      },
      (_, __, folder) => expect(readFileSync(join(folder, 'vendor/v.txt'), 'utf8')).toBe('v\n'),
    ))

  test('[TREE-5] git does not run in a repository to which the agent let its worktree lead', () =>
    received(
      (folder) => {
        // The settings of a repository can start programs. Those of this copy start a filter.
        const own = join(folder, '.other')
        const shared = git(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir')
        cpSync(shared, own, { recursive: true })
        git(folder, 'config', '--file', join(own, 'config'), 'filter.x.clean', `touch ${folder}.ran; cat`)
        put(own, { 'info/attributes': '* filter=x\n' })
        const record = git(folder, 'rev-parse', '--absolute-git-dir').slice(shared.length)
        put(folder, { '.git': `gitdir: ${own}${record}\n`, 'src/a.ts': 'export const a = 9\n' })
      },
      (project, id, folder) => {
        expect(existsSync(`${folder}.ran`)).toBe(false)
        expect(saved(project, id, 'src/a.ts'), 'git repaired the link').toBe('export const a = 9')
      },
    ))

  /** Makes a copy of the worktree's repository whose settings start a program that leaves a file. */
  const trap = (folder: string, own: string): { record: string; shared: string } => {
    const shared = git(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir')
    cpSync(shared, own, { recursive: true })
    git(folder, 'config', '--file', join(own, 'config'), 'filter.x.clean', `touch ${folder}.ran; cat`)
    put(own, { 'info/attributes': '* filter=x\n' })
    return { record: git(folder, 'rev-parse', '--absolute-git-dir'), shared }
  }

  test.each<[string, (own: string, record: string, folder: string, shared: string) => void]>([
    [
      'by .. after a link',
      (own, record, folder, shared) => {
        mkdirSync(join(own, 'worktrees/x'))
        symlinkSync(join(own, 'worktrees/x'), join(shared, 'worktrees/link'))
        put(folder, { '.git': `gitdir: ${shared}/worktrees/link/../${basename(record)}\n` })
      },
    ],
    [
      'by a blank at the end',
      (own, record, folder) => {
        cpSync(record, `${record} `, { recursive: true })
        put(`${record} `, { commondir: `${own}\n` })
        put(folder, { '.git': `gitdir: ${record} \n` })
      },
    ],
    [
      'by a second line',
      (own, record, folder) => {
        cpSync(record, `${record}\nx`, { recursive: true })
        put(`${record}\nx`, { commondir: `${own}\n` })
        put(folder, { '.git': `gitdir: ${record}\nx\n` })
      },
    ],
    [
      'by a record that is a link',
      (own, record) => {
        rmSync(record, { recursive: true })
        symlinkSync(join(own, 'worktrees', basename(record)), record)
      },
    ],
    [
      'by a blank in commondir',
      (own, record, _, shared) => {
        symlinkSync(own, `${shared} `)
        put(record, { commondir: `${shared} \n` })
      },
    ],
  ])('[TREE-5] [GATE-4] git does not run in another repository that is named %s', (_, lead) =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await build(project, one!, { 'src/one.txt': 'one\n' })
      const { folder } = placed
      const own = `${folder}.other`
      const { record, shared } = trap(folder, own)
      lead(own, record, folder, shared)
      put(folder, { 'src/one.txt': 'two\n' })
      await placed.as.call('verify.gate', { id: one!, gate: 'implemented', evidence: 'files:src/one.txt' })
      await project.must('worktree.list', {})
      await receive(project, one!)
      await project.must('worktree.prune', {})
      expect(existsSync(`${folder}.ran`)).toBe(false)
    }),
  )

  test('[TREE-5] no program of a repository inside the worktree runs, and the repository is kept', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      const inner = join(placed.folder, 'vendor')
      git(placed.folder, 'init', '-q', inner)
      commit(inner, 'Vendor', { 'v.txt': 'v\n' })
      await work(placed, { 'src/one.txt': 'one\n' })
      git(inner, 'config', 'filter.x.clean', `touch ${placed.folder}.ran; cat`)
      put(inner, { '.git/info/attributes': '* filter=x\n' })
      expect(await finish(placed)).toMatchObject({ ok: true })
      const touch = () => utimesSync(join(inner, 'v.txt'), new Date(), new Date(Date.now() + 5000))
      touch()
      await project.must('worktree.list', {})
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      touch()
      await project.must('worktree.prune', {})
      expect(existsSync(`${placed.folder}.ran`)).toBe(false)
      // The inner repository is kept, because the commit of the worktree contains only the id of a commit in the
      // inner repository.
      expect(git(inner, 'show', 'HEAD:v.txt')).toBe('v')
      const removed = await project.call('worktree.remove', { spawn: placed.id })
      expect(removed).toMatchObject({ ok: false, code: 'worktree.unsavable' })
    }))

  test('[TREE-5] no program runs that the settings of one worktree name', () =>
    inRepository(withProject, async (project) => {
      git(project.root, 'config', 'extensions.worktreeConfig', 'true')
      const [one] = await addTasks(project, 'Build one')
      const placed = await build(project, one!, { 'src/one.txt': 'one\n', '.gitattributes': '* filter=x\n' })
      const { folder } = placed
      git(folder, 'config', '--worktree', 'core.sparseCheckout', 'false')
      git(folder, 'config', '--worktree', 'filter.x.clean', `touch ${folder}.ran; cat`)
      put(folder, { 'src/late.txt': 'late\n' })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      await project.must('worktree.prune', {})
      expect(existsSync(`${folder}.ran`)).toBe(false)
      expect(existsSync(join(folder, 'src/late.txt'))).toBe(true)
      git(folder, 'config', '--worktree', '--unset', 'filter.x.clean')
      await project.must('worktree.remove', { spawn: placed.id, discard: true })
      expect(saved(project, placed.id, 'src/late.txt')).toBe('late')
    }))

  test('[TREE-5] commits of a submodule that another attempt made are kept', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      const inner = join(placed.folder, 'vendor')
      git(placed.folder, 'init', '-q', inner)
      commit(inner, 'Vendor', { 'v.txt': 'v\n' })
      await work(placed, { '.gitmodules': '[submodule "vendor"]\n\tpath = vendor\n\turl = ./vendor\n' })
      git(placed.folder, 'submodule', '--quiet', 'absorbgitdirs', 'vendor')
      await project.must('orchestrate.spawn', { id: one!, ref: true, replace: true })
      expect(git(inner, 'show', 'HEAD:v.txt')).toBe('v')
    }))

  test.each<[string, string, string[]]>([
    ['that settings hide', 'src/late.txt', ['config', 'status.showUntrackedFiles', 'no']],
    ['that git is told not to look at', 'src/a.ts', ['update-index', '--assume-unchanged', 'src/a.ts']],
    ['that git is told to skip', 'src/a.ts', ['update-index', '--skip-worktree', 'src/a.ts']],
  ])('[TREE-5] files %s are saved before the worktree goes', (_, path, hide) =>
    received(
      (folder) => {
        git(folder, ...hide)
        put(folder, { [path]: 'late\n' })
      },
      (project, id) => expect(saved(project, id, path)).toBe('late'),
    ),
  )

  test('[TREE-5] a folder that is no worktree any more keeps its files', () =>
    received(
      (folder) => {
        rmSync(join(folder, '.git'))
        put(folder, { 'src/late.txt': 'late\n' })
      },
      (_, __, folder) => expect(readFileSync(join(folder, 'src/late.txt'), 'utf8')).toBe('late\n'),
    ))

  test.each([
    ['deleted', (folder: string) => rmSync(folder, { recursive: true })],
    [
      'emptied',
      (folder: string) => {
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
      },
    ],
  ])('[TREE-6] of a worktree that the agent %s after finish, the branch is merged', (_, odd) =>
    received(odd, (project, __, folder) =>
      expect(leftovers(project, folder)).toEqual({ folders: [], known: 0 }),
    ),
  )

  test('[TREE-5] a stash of the agent stays in the repository', () =>
    received(
      (folder) => {
        writeFileSync(join(folder, 'src/one.txt'), 'stashed\n')
        git(folder, 'stash', '-q')
      },
      ({ root }) => expect(git(root, 'stash', 'show', '-p')).toContain('+stashed'),
    ))

  test('[TREE-4] git gc and worktree prune in between change nothing', () =>
    inRepository(withProject, async (project) => {
      const tidy = () => {
        git(project.root, 'worktree', 'prune', '--expire=now')
        git(project.root, 'gc', '--quiet', '--prune=now')
      }
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const second = await place(project, two!)
      tidy()
      const first = await build(project, one!, { 'src/one.txt': 'one\n' })
      tidy()
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      tidy()
      await work(second, { 'src/two.txt': 'two\n' })
      expect(await finish(second)).toMatchObject({ ok: true })
      tidy()
      expect(await receive(project, two!)).toMatchObject({ ok: true })
      expect(leftovers(project, first.folder)).toEqual({ folders: [], known: 0 })
    }))
})
