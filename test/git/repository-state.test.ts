import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gitAt } from '../../src/git/git.ts'
import { settingsInFiles } from '../../src/git/git-index.ts'
import { filesInIndex } from '../../src/git/index-file.ts'
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
