import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branchInFiles, folderOnBranch, linkedFolders } from '../../src/git/git-folder.ts'
import { hasRepository, headOf, linkedWorktree } from '../../src/git/repository.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { findProject } from '../../src/project/find-project.ts'
import { withTemp } from '../support/temp.ts'

const host = nodeHost()

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim()

const repository = (folder: string): string => {
  const main = join(folder, 'main')
  mkdirSync(join(main, 'src'), { recursive: true })
  git(main, 'init', '--quiet', '--initial-branch=work/now')
  return main
}

test('[GATE-4] HEAD is what git says: before a commit, loose, packed, detached, in a worktree, in a subfolder', () =>
  withTemp(async (folder) => {
    const main = repository(folder)
    expect(await headOf(host, main)).toBeNull()
    git(main, 'commit', '--quiet', '--allow-empty', '--message', 'one')
    const first = git(main, 'rev-parse', 'HEAD')
    expect(await headOf(host, main)).toBe(first)
    expect(await headOf(host, join(main, 'src'))).toBe(first)
    git(main, 'pack-refs', '--all')
    expect(await headOf(host, main)).toBe(first)
    git(main, 'worktree', 'add', '--quiet', '-b', 'side', join(folder, 'side'))
    git(join(folder, 'side'), 'commit', '--quiet', '--allow-empty', '--message', 'two')
    expect(await headOf(host, join(folder, 'side'))).toBe(git(join(folder, 'side'), 'rev-parse', 'HEAD'))
    expect(await headOf(host, main)).toBe(first)
    git(main, 'checkout', '--quiet', '--detach', 'side')
    expect(await headOf(host, main)).toBe(git(main, 'rev-parse', 'HEAD'))
  }))

test('[TREE-1] a branch is what git says: missing, loose, packed, moved, and only git tells the rest', () =>
  withTemp(async (folder) => {
    const main = repository(folder)
    const ref = 'refs/heads/cleo/T001'
    const read = () => branchInFiles(host, main, ref)
    git(main, 'commit', '--quiet', '--allow-empty', '--message', 'one')
    const first = git(main, 'rev-parse', 'HEAD')
    expect(await read()).toBeNull()
    git(main, 'branch', 'cleo/T001')
    expect(await read()).toBe(first)
    git(main, 'pack-refs', '--all')
    expect(await read()).toBe(first)
    git(main, 'commit', '--quiet', '--allow-empty', '--message', 'two')
    git(main, 'update-ref', ref, 'HEAD')
    expect(await read()).toBe(git(main, 'rev-parse', ref))
    expect(await read()).not.toBe(first)
    git(main, 'update-ref', '-d', ref)
    expect(await read()).toBeNull()
    const path = join(main, '.git', ref)
    const only = async (make: () => void) => {
      make()
      expect(await read()).toBeUndefined()
      rmSync(path, { recursive: true })
    }
    mkdirSync(join(path, '..'), { recursive: true })
    // Only git can read each of these: a commit that does not exist, a symbolic ref, a symbolic link, and a folder
    // in place of the ref.
    await only(() => writeFileSync(path, `${'1'.repeat(40)}\n`))
    await only(() => git(main, 'symbolic-ref', ref, 'refs/heads/work/now'))
    await only(() => symlinkSync('refs/heads/work/now', path))
    await only(() => mkdirSync(path))
    git(main, 'branch', '--force', 'cleo/T001', first)
    git(main, 'gc', '--quiet')
    expect(await read()).toBeUndefined()
    git(main, 'worktree', 'add', '--quiet', '-b', 'side', join(folder, 'side'))
    expect(await branchInFiles(host, join(folder, 'side'), ref)).toBeUndefined()
    expect(await branchInFiles(host, folder, ref)).toBeUndefined()
    // In the format reftable, `refs/heads` is a file.
    rmSync(join(main, '.git/refs/heads'), { recursive: true })
    rmSync(join(main, '.git/packed-refs'))
    writeFileSync(join(main, '.git/refs/heads'), 'this repository uses the reftable format\n')
    expect(await read()).toBeUndefined()
  }))

test('a folder without a repository, or with a HEAD that only git can read, has no HEAD', () =>
  withTemp(async (folder) => {
    const main = repository(folder)
    for (const text of [
      'ref: refs/../../secret',
      'ref: refs/heads/.invalid',
      'ref: HEAD',
      'nonsense',
      `${'z'.repeat(40)}`,
    ]) {
      writeFileSync(join(main, '.git', 'HEAD'), `${text}\n`)
      expect(await headOf(host, main)).toBeUndefined()
    }
  }))

test('[PROJ-1] a .git folder without HEAD is not a repository, as for git', () =>
  withTemp(async (folder) => {
    const inner = join(folder, 'shop')
    mkdirSync(join(inner, '.git'), { recursive: true })
    // Make an outer repository, so that the result does not depend on where the temporary folder is.
    git(folder, 'init', '--quiet')
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'one')
    expect(await headOf(host, inner)).toBe(git(inner, 'rev-parse', 'HEAD'))
    expect(await linkedWorktree(host, inner)).toBeUndefined()
    expect(linkedFolders(host, inner)).toEqual([])
  }))

test('[PROJ-1] a project is found below a parent folder that holds an empty .git', () =>
  withTemp(async (folder) => {
    const root = join(folder, 'shop')
    mkdirSync(join(folder, '.git'))
    mkdirSync(join(root, '.cleo'), { recursive: true })
    writeFileSync(join(root, '.cleo', 'config.json'), '{}\n')
    expect(await findProject({ ...host, cwd: root }, undefined)).toEqual({ root, found: true })
    expect(await findProject({ ...host, cwd: folder }, undefined)).toMatchObject({ root: folder })
    expect(hasRepository(host, root)).toBe(hasRepository(host, folder))
  }))

test('[TREE-1] pipes in place of the records of one worktree stop no command', () =>
  withTemp(async (folder) => {
    const main = repository(folder)
    git(main, 'commit', '--quiet', '--allow-empty', '--message', 'one')
    const side = join(folder, 'side')
    git(main, 'worktree', 'add', '--quiet', '-b', 'side', side)
    for (const name of ['HEAD', 'commondir', 'gitdir']) {
      rmSync(join(main, '.git/worktrees/side', name))
      execFileSync('mkfifo', [join(main, '.git/worktrees/side', name)])
    }
    expect(await headOf(host, side)).toBeUndefined()
    expect(await linkedWorktree(host, side)).toBeUndefined()
    expect(linkedFolders(host, main)).toEqual([])
    expect(await folderOnBranch(host, main, 'side')).toBeUndefined()
  }))
