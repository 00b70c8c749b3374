import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changedInIndex } from '../../src/host/index-times.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { repositoryState } from '../../src/host/repository-state.ts'
import { commit, git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const day = 24 * 60 * 60 * 1000

/** A repository in which a filter made the index say that src/a.ts is unchanged. */
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
      // Git reads a file again if it is not older than the index.
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
      const index = join(root, '.git/index')
      expect([...changedInIndex(index, Date.now() - day)!]).toContain('src/b.ts')
      expect([...changedInIndex(index, Date.now() + day)!]).toEqual([])
    }, kind),
  )

  test.each([
    ['version 4', ['--index-version', '4']],
    ['a split index', ['--split-index']],
  ])('[GATE-4] also with %s, by the files themselves', (_, flags) =>
    withForgedIndex(async (root, open) => {
      git(root, 'update-index', ...flags)
      expect(changedInIndex(join(root, '.git/index'), 0)).toBeUndefined()
      expect(await open(Date.now() - day)).toEqual(['src/a.ts changed'])
      expect(await open(Date.now() + day)).toEqual([])
    }),
  )

  test('no index, and a file that is none', () =>
    withTemp(async (root) => {
      put(root, { index: 'not an index' })
      expect(changedInIndex(join(root, 'index'), 0)).toBeUndefined()
      expect(changedInIndex(join(root, 'none'), 0)).toBeUndefined()
    }))
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
