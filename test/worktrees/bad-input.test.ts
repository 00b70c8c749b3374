import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtOrSource, run } from '../support/cleo.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  isSound,
  leftovers,
  onBranch,
  place,
  put,
  receive,
  taskRow,
  work,
} from '../support/worktrees.ts'

const withPath = (project: TestProject) => project.afresh({ PATH: process.env['PATH'] ?? '' })

/** Builds, finishes and receives two tasks side by side. */
const twoTasks = async (project: TestProject): Promise<void> => {
  const [one, two] = await addTasks(project, 'Build one', 'Build two')
  const first = await place(project, one!)
  const second = await place(project, two!)
  for (const [i, placed] of [first, second].entries()) {
    await work(placed, { [`src/new-${i}.txt`]: `${i}\n` })
    const finished = await finish(placed)
    expect(finished, JSON.stringify(finished)).toMatchObject({ ok: true })
  }
  for (const id of [one!, two!]) {
    const received = await receive(project, id)
    expect(received, JSON.stringify(received)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
  }
  for (const i of [0, 1]) expect(onBranch(project.root, 'cleo/T001', `src/new-${i}.txt`)).toBe(`${i}`)
  expect(leftovers(project, first.folder).folders).toEqual([])
}

describe('kinds of repository', () => {
  /** Each function makes another kind of repository in the folder of the project. */
  const kinds: Record<string, (root: string) => void> = {
    'a detached HEAD': (root) => {
      repository(root)
      git(root, 'switch', '-q', '--detach')
    },
    'sha256 objects': (root) => {
      git(root, 'init', '-q', '-b', 'main', '--object-format=sha256')
      repository(root)
    },
    'a shallow clone': (root) => {
      const from = join(root, '.home', 'from')
      mkdirSync(from, { recursive: true })
      repository(from)
      commit(from, 'More', { 'src/b.ts': 'export const b = 1\n' })
      const clone = join(root, '.home', 'clone')
      git(root, 'clone', '-q', '--depth=1', `file://${from}`, clone)
      renameSync(join(clone, '.git'), join(root, '.git'))
      git(root, 'checkout', '-q', '--', '.')
    },
    'a sparse checkout': (root) => {
      repository(root)
      commit(root, 'More', { 'far/away.txt': 'away\n' })
      git(root, 'sparse-checkout', 'set', 'src', '.cleo')
    },
    'a submodule': (root) => {
      repository(root)
      const inner = join(root, '.home', 'inner')
      mkdirSync(inner, { recursive: true })
      git(inner, 'init', '-q', '-b', 'main')
      commit(inner, 'Inner', { 'inner.txt': 'inner\n' })
      git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner')
      commit(root, 'Submodule')
      git(root, 'submodule', '--quiet', 'deinit', '-f', 'inner')
    },
    'pointers of large files': (root) => {
      repository(root)
      commit(root, 'Large', {
        '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
        'a.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`,
      })
    },
  }

  test.each(Object.entries(kinds))('[TREE-1] [TREE-4] %s', (_, make) =>
    withProject(async (made) => {
      make(made.root)
      await twoTasks(withPath(made))
      isSound(made.root)
    }),
  )
})

describe('a checkout that is a linked worktree itself', () => {
  const kinds: Record<string, (root: string) => void> = {
    'a worktree of a bare repository': (root) => {
      const bare = join(root, '.home', 'bare.git')
      repository(root)
      git(root, 'clone', '-q', '--bare', root, bare)
      rmSync(join(root, '.git'), { recursive: true })
      const tree = join(root, '.home', 'tree')
      git(bare, 'worktree', 'add', '-q', tree, 'main')
      renameSync(join(tree, '.git'), join(root, '.git'))
      git(bare, 'worktree', 'repair', root)
    },
    'a linked worktree of another folder': (root) => {
      const main = join(root, '.home', 'main')
      mkdirSync(main, { recursive: true })
      repository(main)
      const tree = join(root, '.home', 'tree')
      git(main, 'worktree', 'add', '-q', '-b', 'side', tree)
      renameSync(join(tree, '.git'), join(root, '.git'))
      git(main, 'worktree', 'repair', root)
      git(root, 'checkout', '-q', '--', '.')
    },
  }

  test.each(Object.entries(kinds))('[TREE-1] %s is shared, with a warning', (_, make) =>
    withProject(async (made) => {
      make(made.root)
      const [one] = await addTasks(made, 'Build one')
      const answer = await withPath(made).call('orchestrate.spawn', { id: one!, ref: true })
      expect(answer).toMatchObject({ ok: true })
      expect(JSON.stringify(answer)).toContain(
        `${made.root} is itself a linked worktree or a submodule, so the agent shares the project's folder`,
      )
    }),
  )
})

describe("the user's branches and checkout", () => {
  test.each([
    ['cleo/T001', 'cleo/T001', 'T001'],
    ['cleo', 'cleo', 'T001'],
    ['cleo/T002.1', 'cleo/T002.1', 'T002.1'],
  ])('[TREE-2] a branch %s that the user has stays, and is named', (branch, named, of) =>
    inRepository(withProject, async (project) => {
      git(project.root, 'branch', branch)
      const [one] = await addTasks(project, 'Build one')
      const at = git(project.root, 'rev-parse', branch)
      expect(await project.call('orchestrate.spawn', { id: one!, ref: true })).toMatchObject({
        ok: false,
        code: 'integration.taken',
        exit: 63,
        message: `The branch ${named} exists, but CLEO did not make it. CLEO needs this name for the work of ${of}.`,
        fix: `git branch -m ${branch} my-${branch.replace('/', '-')}`,
      })
      expect(git(project.root, 'rev-parse', branch)).toBe(at)
      git(project.root, 'branch', '-m', branch, 'mine')
      expect(await place(project, one!)).toMatchObject({ id: `${one}.1` })
    }),
  )

  test('[TREE-2] a dirty checkout is left alone, a merge in progress too; in a rebase the first spawn is refused', () =>
    inRepository(withProject, async (project) => {
      const { root } = project
      const [one] = await addTasks(project, 'Build one')
      git(root, 'switch', '-q', '-c', 'side')
      commit(root, 'Side', { 'src/a.ts': 'export const a = 2\n' })
      git(root, 'switch', '-q', 'main')
      commit(root, 'Main', { 'src/a.ts': 'export const a = 3\n' })
      expect(() => git(root, 'rebase', 'side')).toThrow()
      expect(await project.call('orchestrate.spawn', { id: one!, ref: true })).toMatchObject({
        ok: false,
        code: 'checkout.busy',
        message: `A rebase is in progress in ${root}.`,
      })
      git(root, 'rebase', '--abort')
      expect(() => git(root, 'merge', 'side')).toThrow()
      put(root, { 'src/dirty.txt': 'dirty\n' })
      const before = git(root, 'status', '--porcelain', '--', 'src')
      expect(before).toContain('UU src/a.ts')
      await build(project, one!, { 'src/one.txt': 'one\n' })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      expect(git(root, 'status', '--porcelain', '--', 'src')).toBe(before)
    }))

  test('[TREE-4] the integration branch checked out by the user stops a merge, and nothing is lost', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await build(project, one!, { 'src/one.txt': 'one\n' })
      git(project.root, 'switch', '-q', 'cleo/T001')
      expect(await receive(project, one!)).toMatchObject({
        ok: false,
        code: 'integration.checked_out',
        fix: `git -C ${project.root} switch main`,
      })
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'pending' })
      expect(existsSync(placed.folder)).toBe(true)
      git(project.root, 'switch', '-q', 'main')
      expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
    }))

  test('[TREE-4] an integration branch that an agent rewrote stops a merge, and nothing is moved', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await build(project, one!, { 'src/one.txt': 'one\n' })
      const foreign = commit(placed.folder, 'Foreign', { 'src/foreign.txt': 'foreign\n' })
      git(placed.folder, 'reset', '-q', '--hard', 'HEAD~1')
      git(placed.folder, 'update-ref', 'refs/heads/cleo/T001', foreign)
      expect(await receive(project, one!)).toMatchObject({ ok: false, code: 'integration.moved', exit: 24 })
      expect(git(project.root, 'rev-parse', 'cleo/T001')).toBe(foreign)
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'pending' })
    }))

  test('[TREE-4] an integration branch that was deleted is made again; without its commit it is lost', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await build(project, one!, { 'src/one.txt': 'one\n' })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      git(project.root, 'branch', '-q', '-D', 'cleo/T001')
      const placed = await place(project, two!)
      expect(onBranch(project.root, placed.branch, 'src/one.txt')).toBe('one')
      expect(branches(project.root)).toContain('cleo/T001')
    }))
})

describe('what an agent does', () => {
  test('[TREE-4] commits on another branch are refused at finish, with the command that brings them over', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      await work(placed, {})
      git(placed.folder, 'switch', '-q', '-c', 'mine')
      commit(placed.folder, 'Build it', { 'src/one.txt': 'one\n' })
      const refused = await finish(placed)
      expect(refused).toMatchObject({ ok: false, code: 'worktree.elsewhere', exit: 63 })
      expect(refused.ok ? '' : refused.message).toBe(
        `${placed.folder} has branch mine checked out, but CLEO merges the work of ${placed.id} only from ${placed.branch}.`,
      )
      execFileSync('sh', ['-c', refused.ok ? '' : refused.fix!], { stdio: 'pipe' })
      expect(await finish(placed)).toMatchObject({ ok: true, value: { merge: 'pending' } })
      expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
      expect(onBranch(project.root, 'cleo/T001', 'src/one.txt')).toBe('one')
    }))

  test("[TREE-2] edits of the user's checkout stay there and are not merged", () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      put(project.root, { 'src/a.ts': 'export const a = 7\n' })
      await work(placed, { 'src/one.txt': 'one\n' })
      expect(await finish(placed)).toMatchObject({ ok: true })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      expect(readFileSync(join(project.root, 'src/a.ts'), 'utf8')).toBe('export const a = 7\n')
      expect(onBranch(project.root, 'cleo/T001', 'src/a.ts')).toBe('export const a = 1')
    }))

  test.each([
    ['core.bare', 'true'],
    ['core.hooksPath', 'hooks'],
    ['core.fsmonitor', 'touch /nowhere/at/all'],
    ['merge.renames', 'false'],
    ['receive.denyCurrentBranch', 'ignore'],
  ])(
    '[TREE-4] the setting %s, changed by an agent, does not keep its work from being merged',
    (name, value) =>
      inRepository(withProject, async (project) => {
        const [one, two] = await addTasks(project, 'Build one', 'Build two')
        await build(project, one!, { 'src/one.txt': 'one\n' })
        await build(project, two!, { 'src/two.txt': 'two\n' })
        git(project.root, 'config', name, value)
        for (const id of [one!, two!]) {
          const received = await receive(project, id)
          expect(received, JSON.stringify(received)).toMatchObject({ ok: true })
        }
        expect(onBranch(project.root, 'cleo/T001', 'src/two.txt')).toBe('two')
      }),
  )
})

describe('what git does', () => {
  /** Writes a program that runs in place of another program. */
  const script = (path: string, text: string): string => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }

  test('[TREE-4] hooks that fail, hang or rewrite are not run by CLEO', () =>
    inRepository(withProject, async (project) => {
      const hooks = join(project.root, '.git/hooks')
      for (const name of ['post-checkout', 'reference-transaction', 'commit-msg', 'pre-commit', 'post-merge'])
        script(join(hooks, name), 'echo ran >> "$(git rev-parse --git-common-dir)/hooks-ran"; exit 1')
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      expect(existsSync(join(project.root, '.git/hooks-ran'))).toBe(false)
      rmSync(hooks, { recursive: true })
      await work(placed, { 'src/one.txt': 'one\n' })
      expect(await finish(placed)).toMatchObject({ ok: true })
      mkdirSync(hooks)
      script(join(hooks, 'reference-transaction'), 'sleep 600')
      script(join(hooks, 'post-checkout'), 'sleep 600')
      expect(await receive(project, one!)).toMatchObject({ ok: true })
    }))

  test('[TREE-4] signing that waits for an answer is given up once, and the merge is made unsigned', () =>
    inRepository(withProject, async (project) => {
      const waits = script(
        join(project.root, '.home/gpg'),
        `echo ran >> ${project.root}/.home/asked; sleep 600`,
      )
      const ids = await addTasks(project, 'Build one', 'Build two', 'Build three')
      for (const id of ids) await build(project, id, { [`src/${id}.txt`]: 'x\n' })
      for (const [name, value] of Object.entries({ name: 'Ada', email: 'ada@example.com' }))
        git(project.root, 'config', `user.${name}`, value)
      git(project.root, 'config', 'commit.gpgSign', 'true')
      git(project.root, 'config', 'gpg.program', waits)
      const { received } = (await project.must('orchestrate.receive', { all: true })) as never as {
        received: { outcome: string }[]
      }
      expect(received.map(({ outcome }) => outcome)).toEqual(['complete', 'complete', 'complete'])
      expect(readFileSync(`${project.root}/.home/asked`, 'utf8'), 'asked once').toBe('ran\n')
    }))

  test('[TREE-4] signing that works signs the merges', () =>
    inRepository(withProject, async (project) => {
      const signs = script(
        join(project.root, '.home/gpg'),
        'cat > /dev/null; echo "[GNUPG:] SIG_CREATED " >&2; printf -- "-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n"',
      )
      const [one] = await addTasks(project, 'Build one')
      await build(project, one!, { 'src/one.txt': 'one\n' })
      for (const [name, value] of Object.entries({ name: 'Ada', email: 'ada@example.com' }))
        git(project.root, 'config', `user.${name}`, value)
      git(project.root, 'config', 'commit.gpgSign', 'true')
      git(project.root, 'config', 'gpg.program', signs)
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      expect(git(project.root, 'cat-file', 'commit', 'cleo/T001')).toContain(
        'gpgsig -----BEGIN PGP SIGNATURE',
      )
    }))

  test('[TREE-4] refs that cannot be written are named, and the next try goes on', () =>
    inRepository(withProject, async (project) => {
      const lock = join(project.root, '.git/refs/heads/cleo/T001.lock')
      const [one] = await addTasks(project, 'Build one')
      mkdirSync(join(lock, '..'), { recursive: true })
      writeFileSync(lock, '')
      const refused = await project.call('orchestrate.spawn', { id: one!, ref: true })
      expect(refused).toMatchObject({ ok: false, code: 'integration.failed', exit: 3 })
      rmSync(lock)
      const placed = await build(project, one!, { 'src/one.txt': 'one\n' })
      writeFileSync(lock, '')
      const unmerged = await receive(project, one!)
      expect(unmerged).toMatchObject({ ok: false, code: 'merge.failed', exit: 3 })
      expect(existsSync(placed.folder)).toBe(true)
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'pending' })
      rmSync(lock)
      expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
    }))

  test('[TREE-4] names that differ only in case conflict where the file system ignores case', () =>
    inRepository(withProject, async (project) => {
      git(project.root, 'config', 'core.ignoreCase', 'true')
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await build(project, one!, { 'src/Form.txt': 'one\n' })
      await build(project, two!, { 'src/form.txt': 'two\n' })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      expect(await receive(project, two!)).toMatchObject({
        ok: false,
        code: 'merge.conflict',
        message: `${two} conflicts with ${one} in src/Form.txt, src/form.txt. The work of ${two} is safe on cleo/${two}.1.`,
      })
    }))

  test('[TREE-1] a filter that cannot run is named, and nothing is left over', () =>
    inRepository(
      withProject,
      async (project) => {
        git(project.root, 'config', 'filter.large.smudge', 'no-such-program %f')
        git(project.root, 'config', 'filter.large.required', 'true')
        const [one] = await addTasks(project, 'Build one')
        const refused = await project.call('orchestrate.spawn', { id: one!, ref: true })
        expect(refused).toMatchObject({ ok: false, code: 'worktree.failed', exit: 63 })
        expect(refused.ok ? '' : refused.message).toContain('smudge filter large failed')
        expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
        expect(git(project.root, 'worktree', 'list', '--porcelain').split('\n\n')).toHaveLength(1)
      },
      { files: { '.gitattributes': '*.bin filter=large\n', 'a.bin': 'a\n' } },
    ))
})

describe('disk and place', () => {
  const cli = (cwd: string, home: string, ...args: string[]) => {
    const ran = run(builtOrSource, args, { cwd, env: { HOME: home } })
    return {
      ...ran,
      answer: JSON.parse(ran.stdout) as { data: Record<string, never>; error?: { code: string } },
    }
  }

  /**
   * Makes a project whose first task is finished in its worktree. Runs each command in a process of its own, as at
   * a terminal.
   */
  const finished = (root: string, home: string): string => {
    mkdirSync(root, { recursive: true })
    mkdirSync(home, { recursive: true })
    repository(root)
    for (const words of [
      ['init'],
      ['add', 'Forms', '--type', 'epic'],
      ['add', 'Build one', '--parent', 'T001', '--description', 'Build it.'],
      ['spawn', 'T002', '--ref'],
    ])
      expect(cli(root, home, ...words).exit, words.join(' ')).toBe(0)
    const prompt = readFileSync(join(root, '.cleo/spawns/T002.1.md'), 'utf8')
    const folder = /^Work in +(\S+)/m.exec(prompt)![1]!
    const { output } = cli(folder, home, 'focus', 'set', 'T002', '--as', 'T002.1').answer.data
    writeFileSync(output!, '# Work\n\n## Summary\n\nIt is done.\n')
    commit(folder, 'Build it', { 'src/one.txt': 'one\n' })
    const done = cli(
      folder,
      home,
      'finish',
      'T002',
      '--as',
      'T002.1',
      '--finding',
      'A.',
      '--no-tests',
      'A test.',
    )
    expect(done.exit, done.stdout).toBe(0)
    put(folder, { 'notes.txt': 'not committed\n' })
    return folder
  }

  /** Writes to a file until the disk is full. */
  const fill = (path: string): void => {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(4096))
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }

  test('[TREE-4] a project that was moved merges its work, and saves what its worktree holds', () =>
    withTemp((temp) => {
      const [before, after, home] = ['before', 'after', 'home'].map((name) => join(temp, name)) as [
        string,
        string,
        string,
      ]
      const folder = finished(before, home)
      renameSync(before, after)
      const received = cli(after, home, 'receive', 'T002')
      expect(received.exit, received.stdout).toBe(0)
      expect(onBranch(after, 'cleo/T001', 'src/one.txt')).toBe('one')
      expect(onBranch(after, 'refs/cleo/attempts/T002.1', 'notes.txt')).toBe('not committed')
      expect(existsSync(folder)).toBe(false)
      expect(branches(after)).toEqual(['cleo/T001', 'main'])
    }))

  test('[TREE-4] a disk that fills up in the middle of a merge loses nothing, and the next try goes on', () =>
    withTemp((temp) => {
      const disk = join(temp, 'disk')
      mkdirSync(disk)
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
      if (mounted.status !== 0) {
        console.warn('SKIPPED: no file system of its own can be mounted here, so no disk fills up')
        return
      }
      try {
        const root = join(disk, 'project')
        finished(root, join(temp, 'home'))
        const full = join(disk, 'full')
        fill(full)
        const refused = cli(root, join(temp, 'home'), 'receive', 'T002')
        expect(refused.exit, refused.stdout).not.toBe(0)
        expect(refused.answer.error?.code).not.toBe('internal')
        rmSync(full)
        expect(onBranch(root, 'cleo/T002.1', 'src/one.txt'), 'the work is there').toBe('one')
        const received = cli(root, join(temp, 'home'), 'receive', 'T002')
        expect(received.exit, received.stdout).toBe(0)
        expect(onBranch(root, 'cleo/T001', 'src/one.txt')).toBe('one')
        isSound(root)
      } finally {
        spawnSync('umount', [disk])
      }
    }))
})
