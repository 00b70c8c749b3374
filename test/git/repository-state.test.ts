import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gitAt } from '../../src/git/git.ts'
import { settingsInFiles } from '../../src/git/git-index.ts'
import { filesInIndex, readIndex } from '../../src/git/index-file.ts'
import { hasTrueTrees } from '../../src/git/index-trees.ts'
import { repositoryState } from '../../src/git/repository-state.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { commit, git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const day = 24 * 60 * 60 * 1000

/** Makes a repository in which a filter made the index say that src/a.ts is unchanged. */
const withForgedIndex = (
  work: (root: string, open: (since?: number) => Promise<string[]>) => Promise<void>,
  kind: 'sha1' | 'sha256' = 'sha1',
) =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main', `--object-format=${kind}`)
    commit(root, 'Begin', { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
    git(root, 'config', 'filter.trap.clean', "printf 'a\\n'")
    put(root, { '.git/info/attributes': 'src/a.ts filter=trap\n', 'src/a.ts': 'evil\n' })
    git(root, 'add', 'src/a.ts')
    await work(root, async (since) => {
      const options = { maySkip: false, ...(since !== undefined && { since }) }
      // Date the index in the future, because git reads a file again unless the file is older than the index.
      utimesSync(join(root, '.git/index'), new Date(), new Date(2100, 0))
      const state = await repositoryState(nodeHost(), root, options)
      return state!.open.map(({ path, how }) => `${path} ${how}`)
    })
  })

describe('an index that says too much', () => {
  test.each(['sha1', 'sha256'] as const)('[GATE-4] files changed since a time are read (%s)', (kind) =>
    withForgedIndex(async (root, open) => {
      expect(await open(), 'the index is believed').toEqual([])
      expect(await open(Date.now() + day), 'files from before that time').toEqual([])
      expect(await open(Date.now() - day)).toEqual(['src/a.ts changed'])
      const { changed } = filesInIndex(join(root, '.git/index'))![0]!
      expect(Math.abs(changed - Date.now() / 1000)).toBeLessThan(day / 1000)
    }, kind),
  )

  test.each([
    ['version 4', ['--index-version', '4']],
    ['a split index', ['--split-index']],
  ])('[GATE-4] also with %s, by the files themselves', (_, flags) =>
    withForgedIndex(async (root, open) => {
      git(root, 'update-index', ...flags)
      expect(filesInIndex(join(root, '.git/index'))).toBeUndefined()
      expect(await open(Date.now() - day)).toEqual(['src/a.ts changed'])
      expect(await open(Date.now() + day)).toEqual([])
    }),
  )

  test('no index, and a file that is none', () =>
    withTemp(async (root) => {
      put(root, { index: 'not an index' })
      expect(filesInIndex(join(root, 'index'))).toBeUndefined()
      expect(filesInIndex(join(root, 'none'))).toBeUndefined()
    }))
})

test.each(['sha1', 'sha256'] as const)('[GATE-4] the index is read as git reads it (%s)', (kind) =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main', `--object-format=${kind}`)
    const long = `${'long/'.repeat(60)}${'x'.repeat(200)}/`.repeat(9)
    commit(root, 'Begin', {
      'a.ts': 'a\n',
      'ä ö.ts': 'b\n',
      'src/assumed.ts': 'c\n',
      'src/skipped.ts': 'd\n',
    })
    symlinkSync('a.ts', join(root, 'link'))
    put(root, {
      'run.sh': 'e\n',
      'intended.ts': 'f\n',
      [`${long.slice(0, 3000)}/z.ts`]: 'g\n',
      'new.ts': 'h\n',
    })
    chmodSync(join(root, 'run.sh'), 0o755)
    git(root, 'add', 'link', 'run.sh', 'long')
    git(root, 'add', '-N', 'intended.ts')
    git(root, 'update-index', '--assume-unchanged', 'src/assumed.ts')
    git(root, 'update-index', '--skip-worktree', 'src/skipped.ts')
    const module = `160000,${git(root, 'rev-parse', 'HEAD')},vendor/lib`
    git(root, 'update-index', '--add', '--cacheinfo', module)
    const listed = await gitAt(nodeHost(), root)!.listing()
    const indexed = filesInIndex(join(root, '.git/index'))!
    expect(indexed.map(({ changed: _, ...file }) => file)).toEqual(listed!.filter(({ tracked }) => tracked))
    expect(await gitAt(nodeHost(), root)!.untracked()).toEqual(listed!.filter(({ tracked }) => !tracked))
  }),
)

test('[GATE-4] settings are read from files only where nothing in them matters', () => {
  const plain = { withoutFilters: [], isSparse: false, hasModes: true }
  expect(
    settingsInFiles(['[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n']),
  ).toEqual(plain)
  expect(settingsInFiles(['[user]\n\tname = Ada', '[core]\n\tfileMode\n'])).toEqual(plain)
  for (const text of [
    '[core]\nfilemode = false',
    '[core]\nfilemode=no',
    '[core]\nfileMode = "true"',
    '[core]\nsparseCheckout = true',
    '[FILTER "a"]\nclean = x',
    '[filter.a]\nclean = x',
    '[include]\npath = x',
    '[includeIf "gitdir:~/"]\npath = x',
    '[extensions]\nworktreeConfig = true',
  ])
    expect(settingsInFiles(['[core]\nfilemode = true', text]), text).toBeUndefined()
})

test('[GATE-4] the worktree of another agent inside the folder is left alone', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', { 'a.ts': 'a\n' })
    git(root, 'worktree', 'add', '-q', '-b', 'work', join(root, 'trees/work'))
    mkdirSync(join(root, 'other'))
    git(join(root, 'other'), 'init', '-q')
    const state = () => repositoryState(nodeHost(), root, { maySkip: false })
    expect((await state())!.open).toEqual([{ path: 'other/', how: 'a repository' }])
    rmSync(join(root, '.git/HEAD'))
    expect(await repositoryState(nodeHost(), root, { maySkip: false })).toBeUndefined()
  }))

/** Writes the list of trees of one index into another, as a program could that writes the index. */
const withTreesOf = (honest: Buffer, staged: Buffer): Buffer => {
  const body = (index: Buffer): [Buffer, Buffer] => {
    const at = index.lastIndexOf('TREE')
    return at < 0
      ? [index.subarray(0, -20), Buffer.alloc(0)]
      : [index.subarray(0, at), index.subarray(at, -20)]
  }
  const forged = Buffer.concat([body(staged)[0], body(honest)[1]])
  return Buffer.concat([forged, createHash('sha1').update(forged).digest()])
}

describe('an index that names the trees of HEAD, but has other entries', () => {
  const changes: Record<string, [make: (root: string) => void, open: string[] | undefined]> = {
    'other content': [(root) => put(root, { 'src/a.ts': 'evil\n' }), ['src/a.ts staged']],
    'another mode': [(root) => chmodSync(join(root, 'src/a.ts'), 0o755), ['src/a.ts staged']],
    // Git fails if the folder has fewer entries than the list of trees says.
    'a removed file': [(root) => rmSync(join(root, 'src/a.ts')), undefined],
    'a renamed file': [
      (root) => renameSync(join(root, 'src/a.ts'), join(root, 'src/e.ts')),
      ['src/a.ts staged', 'src/e.ts staged'],
    ],
    'two files with their contents exchanged': [
      (root) => put(root, { 'src/a.ts': 'b\n', 'src/b.ts': 'a\n' }),
      ['src/a.ts staged', 'src/b.ts staged'],
    ],
  }
  test.each(Object.entries(changes))('[GATE-4] %s', (_, [make, open]) =>
    withTemp(async (root) => {
      git(root, 'init', '-q', '-b', 'main')
      commit(root, 'Begin', { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'src/in/c.ts': 'c\n', 'd.ts': 'd\n' })
      const index = join(root, '.git/index')
      const honest = readFileSync(index)
      expect(hasTrueTrees(readIndex(index)!.places)).toBe(true)
      make(root)
      git(root, 'add', '-A')
      writeFileSync(index, withTreesOf(honest, readFileSync(index)))
      expect(hasTrueTrees(readIndex(index)!.places)).toBe(false)
      const state = await repositoryState(nodeHost(), root, { maySkip: false, since: Date.now() - day })
      expect(state?.open.map(({ path, how }) => `${path} ${how}`).toSorted()).toEqual(open)
      rmSync(index)
      git(root, 'reset', '-q')
      expect(hasTrueTrees(readIndex(index)!.places)).toBe(true)
    }),
  )
})

test('[GATE-4] an index of version 4 that names the trees of HEAD, but has other entries', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
    const index = join(root, '.git/index')
    git(root, 'update-index', '--index-version', '4')
    git(root, 'write-tree')
    const honest = readFileSync(index)
    put(root, { 'src/a.ts': 'evil\n' })
    git(root, 'add', '-A')
    writeFileSync(index, withTreesOf(honest, readFileSync(index)))
    expect(readIndex(index)).toBeUndefined()
    expect(git(root, '--no-optional-locks', 'diff-index', 'HEAD'), 'git believes it').toBe('')
    const state = await repositoryState(nodeHost(), root, { maySkip: false, since: Date.now() - day })
    expect(state?.open).toEqual([{ path: 'src/a.ts', how: 'staged' }])
  }))

test.each(['sha1', 'sha256'] as const)('the trees that git writes into its index are true (%s)', (kind) =>
  withTemp((root) => {
    git(root, 'init', '-q', '-b', 'main', `--object-format=${kind}`)
    const index = join(root, '.git/index')
    const check = (what: string, lists = 1) => {
      const { places } = readIndex(index)!
      expect(places.trees, what).toHaveLength(lists)
      expect(hasTrueTrees(places), what).toBe(true)
    }
    const names = [
      'a',
      'a.b/x',
      'a-b',
      'b/x',
      'b/x.y/z',
      'b/x0',
      'b.c',
      'b0',
      'ü/ö/ä',
      'c/\n',
      `d/${'n'.repeat(200)}`,
    ]
    put(root, Object.fromEntries(names.map((name) => [name, name])))
    put(root, Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`many/${'m'.repeat(60)}${n}`, ''])))
    symlinkSync('a', join(root, 'b/link'))
    git(root, 'init', '-q', `--object-format=${kind}`, join(root, 'module'))
    commit(join(root, 'module'), 'Module')
    commit(root, 'Begin')
    check('a commit')
    chmodSync(join(root, 'b/x0'), 0o755)
    git(root, 'add', 'b/x0')
    check('a staged mode')
    put(root, { 'b/x.y/new': 'new', 'e/new': 'new' })
    git(root, 'add', '-N', 'b/x.y/new', 'e/new')
    check('files that git only intends to add')
    git(root, 'add', '-A')
    git(root, 'update-index', '--assume-unchanged', 'a')
    git(root, 'update-index', '--skip-worktree', 'b0')
    git(root, 'write-tree')
    check('flags')
    commit(root, 'More', { a: 'more' })
    git(root, 'checkout', '-q', '-b', 'side', 'HEAD~1')
    commit(root, 'Side', { 'b/x.y/z': 'side', 'a.b/x': 'side' })
    git(root, 'checkout', '-q', 'main')
    commit(root, 'Main', { 'b/x.y/z': 'main' })
    expect(() => git(root, 'merge', '-q', 'side')).toThrow()
    check('conflicts', readIndex(index)!.places.trees.length)
    git(root, 'reset', '-q', '--hard')
    git(root, 'reset', '-q', '--soft', 'HEAD~1')
    check('an index that differs from HEAD')
    return Promise.resolve()
  }),
)

test.each([
  ['a folder in 100,000 folders', Buffer.from(`\0-1 1\n${'a\0-1 1\n'.repeat(100_000)}`)],
  ['folders without names', Buffer.from('\0-1 1\n\0-1 1\n\0-1 0\n')],
  ['a list that ends too early', Buffer.from('\x000 2\n')],
  ['numbers that are none', Buffer.from('\0x y\n')],
  ['nothing', Buffer.alloc(0)],
])('a list of trees in another format is not believed: %s', (_, list) => {
  const places = { bytes: list, hash: 20, entries: [], trees: [{ from: 0, to: list.length }] }
  expect(hasTrueTrees(places)).toBe(false)
})
