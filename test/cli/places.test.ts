import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { data, executable, run, runtimes, start } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main']
const git = (cwd: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Makes a home folder that contains a project with one task and a subfolder. */
const withHome = (work: (home: string, shop: string) => void | Promise<void>): Promise<void> =>
  withTemp((home) => {
    const shop = join(home, 'shop')
    mkdirSync(join(shop, 'src', 'deep'), { recursive: true })
    data(run(executable, ['init'], { cwd: shop, env: { HOME: home } }))
    data(run(executable, ['add', 'Sign-up form'], { cwd: shop, env: { HOME: home } }))
    return work(home, shop)
  })

const listFrom = (cwd: string, home: string, ...more: string[]) => {
  const { exit, stdout } = run(executable, ['list', ...more], { cwd, env: { HOME: home } })
  const answer = JSON.parse(stdout) as { data?: { tasks: { title: string }[] }; error?: { code: string } }
  return { exit, titles: answer.data?.tasks.map(({ title }) => title), code: answer.error?.code }
}
const found = { exit: 0, titles: ['Sign-up form'], code: undefined }
const missing = { exit: 9, titles: undefined, code: 'project.missing' }

describe('[PROJ-2] the same answer from everywhere', () => {
  test('a subfolder, a link to the project, a link into it, a link out of it', () =>
    withHome((home, shop) => {
      symlinkSync(shop, join(home, 'link'))
      symlinkSync(join(shop, 'src'), join(home, 'inner'))
      mkdirSync(join(home, 'outer'))
      symlinkSync(join(home, 'outer'), join(shop, 'away'))
      for (const place of [shop, join(shop, 'src/deep'), join(home, 'link/src'), join(home, 'inner/deep')])
        expect(listFrom(place, home)).toEqual(found)
      // No project is found from a folder outside the project, even if a link in the project leads to that folder.
      expect(listFrom(join(shop, 'away'), home)).toEqual(missing)
    }))

  for (const committed of [false, true]) {
    test(`a linked worktree, with the configuration ${committed ? '' : 'not '}in git`, () =>
      withHome((home, shop) => {
        git(shop, 'init', '-q')
        if (committed) git(shop, 'add', '.cleo')
        git(shop, 'commit', '-q', '--allow-empty', '-m', 'first')
        git(shop, 'worktree', 'add', '-q', join(home, 'two'))
        git(shop, 'worktree', 'add', '-q', join(shop, '.worktrees', 'three'))
        mkdirSync(join(home, 'two', 'src', 'deep'), { recursive: true })
        symlinkSync(join(home, 'two'), join(home, 'link'))
        for (const place of ['two', 'two/src/deep', 'link/src', 'shop/.worktrees/three'])
          expect(listFrom(join(home, place), home)).toEqual(found)
        const added = run(executable, ['add', 'From a worktree'], {
          cwd: join(home, 'two'),
          env: { HOME: home },
        })
        expect(data(added)).toMatchObject({ id: 'T002' })
        expect(listFrom(shop, home).titles).toEqual(['Sign-up form', 'From a worktree'])
        expect(readdirSync(join(home, 'two')).includes('.cleo')).toBe(committed)
      }))
  }

  test('init in a linked worktree makes the project of the main one', () =>
    withTemp((home) => {
      const main = join(home, 'main')
      mkdirSync(main)
      git(main, 'init', '-q')
      git(main, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(main, 'worktree', 'add', '-q', join(home, 'two'))
      data(run(executable, ['init'], { cwd: join(home, 'two'), env: { HOME: home } }))
      expect(readdirSync(main)).toContain('.cleo')
      expect(listFrom(main, home)).toEqual({ ...found, titles: [] })
    }))

  test('a bare repository holds no project; a worktree of it may', () =>
    withTemp((home) => {
      const bare = join(home, 'shop.git')
      git(home, 'init', '-q', 'first')
      git(join(home, 'first'), 'commit', '-q', '--allow-empty', '-m', 'first')
      git(home, 'clone', '-q', '--bare', 'first', bare)
      expect(run(executable, ['init'], { cwd: bare, env: { HOME: home } }).exit).toBe(9)
      expect(listFrom(bare, home)).toEqual(missing)
      expect(readdirSync(bare)).not.toContain('.cleo')
      git(bare, 'worktree', 'add', '-q', join(home, 'tree'))
      data(run(executable, ['init'], { cwd: join(home, 'tree'), env: { HOME: home } }))
      expect(listFrom(join(home, 'tree'), home)).toEqual({ ...found, titles: [] })
    }))

  test('--project and CLEO_PROJECT work like changing the folder', () =>
    withHome((home, shop) => {
      symlinkSync(shop, join(home, 'link'))
      for (const named of ['shop', 'shop/', './shop/src/deep', 'link', 'link/src', shop]) {
        expect(listFrom(home, home, '--project', named)).toEqual(found)
        const env = { HOME: home, CLEO_PROJECT: named }
        expect(run(executable, ['exists', 'T001'], { cwd: home, env }).exit).toBe(0)
        expect(run(executable, ['exists', 'T001', '--project', 'gone'], { cwd: home, env }).exit).toBe(9)
      }
      for (const named of ['gone', 'shop/gone', 'shop/.cleo/cleo.db', '/', '~'])
        expect(listFrom(shop, home, '--project', named)).toEqual(missing)
    }))
})

describe('[PROJ-1] what is no project', () => {
  test('a folder outside, an empty .cleo, and a .cleo that is a file', () =>
    withTemp((home) => {
      for (const name of ['outside', 'empty', 'file']) mkdirSync(join(home, name))
      mkdirSync(join(home, 'empty', '.cleo'))
      writeFileSync(join(home, 'file', '.cleo'), '')
      for (const name of ['outside', 'empty', 'file'])
        expect(listFrom(join(home, name), home)).toEqual(missing)
      expect(readdirSync(join(home, 'outside'))).toEqual([])
      expect(run(executable, ['init'], { cwd: join(home, 'file'), env: { HOME: home } }).exit).toBe(3)
      data(run(executable, ['init'], { cwd: join(home, 'empty'), env: { HOME: home } }))
    }))

  test("the user's own folder, also where the home is reached by a link", () =>
    withTemp((folder) => {
      const home = join(folder, 'home')
      mkdirSync(join(home, '.cleo'), { recursive: true })
      mkdirSync(join(home, 'work'))
      symlinkSync(home, join(folder, 'link'))
      writeFileSync(join(home, '.cleo', 'config.json'), '{}\n')
      for (const HOME of [home, join(folder, 'link'), `${home}/`]) {
        expect(listFrom(home, HOME)).toEqual(missing)
        expect(listFrom(join(home, 'work'), HOME)).toEqual(missing)
        expect(run(executable, ['init'], { cwd: home, env: { HOME } }).exit).toBe(9)
        const env = { HOME, XDG_CONFIG_HOME: join(home, '.config') }
        expect(run(executable, ['list'], { cwd: home, env }).exit).toBe(9)
      }
      expect(readdirSync(join(home, '.cleo'))).toEqual(['config.json'])
    }))
})

describe('[PROJ-1] init', () => {
  for (const runtime of runtimes) {
    test(`eight at once make one project (${runtime.name})`, () =>
      withTemp(async (root) => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => start(runtime, ['init'], { cwd: root })),
        )
        expect(answers.map(({ exit, stderr }) => [exit, stderr])).toEqual(answers.map(() => [0, '']))
        expect(data(run(runtime, ['add', 'Sign-up form'], { cwd: root }))).toMatchObject({ id: 'T001' })
        const left = readdirSync(join(root, '.cleo')).filter((name) => !/^cleo\.db-(wal|shm)$/.test(name))
        expect(left.toSorted()).toEqual([
          ...['.gitignore', 'cleo.db', 'config.json'],
          expect.stringMatching(/^project\.[0-9a-f]{12}$/),
        ])
      }))
  }

  test('a clone has the configuration and gets its own store', () =>
    withHome((home, shop) => {
      git(shop, 'init', '-q')
      git(shop, 'add', '.cleo')
      git(shop, 'commit', '-q', '-m', 'first')
      git(home, 'clone', '-q', shop, join(home, 'clone'))
      expect(listFrom(join(home, 'clone'), home)).toMatchObject({ exit: 3, code: 'store.missing' })
      const clone = { cwd: join(home, 'clone'), env: { HOME: home } }
      expect(JSON.parse(run(executable, ['list'], clone).stdout).error).toMatchObject({ fix: 'cleo init' })
      data(run(executable, ['init'], clone))
      expect(listFrom(join(home, 'clone'), home)).toEqual({ ...found, titles: [] })
    }))
})
