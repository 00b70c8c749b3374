import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Answer } from '../../src/index.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { onEveryStore } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const init = async (cwd: string, options: { dryRun?: boolean; home?: string; input?: object } = {}) => {
  const { dryRun = false, home = join(cwd, '.home'), input = {} } = options
  const host = { ...nodeHost(), cwd, home, env: {} }
  const connection = connect({ host, wait: 'retry' })
  const caller = { actor: { id: 'ada', agent: false }, dryRun }
  return (await perform((await load('admin.init'))!, input, connection, caller)) as Answer<'admin.init'>
}

onEveryStore((withProject, store) => {
  test('[PROJ-1] init creates the project once; a second run changes nothing', () =>
    withProject(async (project) => {
      const before = readFileSync(join(project.root, '.cleo', 'config.json'), 'utf8')
      const next = ['cleo quickstart', 'cleo add "…" --type epic', 'cleo setup']
      const value = { root: project.root, store, next, noChange: true }
      expect(await project.call('admin.init', {})).toEqual({ ok: true, value })
      expect(readFileSync(join(project.root, '.cleo', 'config.json'), 'utf8')).toBe(before)
    }))
})

test('[PROJ-1] the folder is private, and git ignores all of it except the configuration', () =>
  withTemp(async (root) => {
    expect(await init(root)).toMatchObject({ ok: true, value: { root, store: 'sqlite' } })
    const folder = join(root, '.cleo')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{}\n')
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('*\n!config.json\n')
    expect(statSync(join(folder, 'cleo.db')).mode & 0o077).toBe(0)
  }))

test('[PROJ-1] an ignore file that came with a clone does not show the database to git', () =>
  withTemp(async (folder) => {
    const own = '*\n!.gitignore\n!config.json\n'
    for (const [name, text, expected] of [
      ['a', '!*\n', '*\n!config.json\n'],
      ['b', '*\n!config.json\n!cleo.db\n', '*\n!config.json\n'],
      ['c', `# Mine\n${own}`, own],
    ] as const) {
      const root = join(folder, name)
      mkdirSync(join(root, '.cleo'), { recursive: true })
      writeFileSync(join(root, '.cleo', 'config.json'), '{}\n')
      writeFileSync(join(root, '.cleo', '.gitignore'), text)
      expect(await init(root)).toMatchObject({ ok: true })
      const now = readFileSync(join(root, '.cleo', '.gitignore'), 'utf8')
      expect(now.endsWith(expected), name).toBe(true)
      expect(now === text, name).toBe(name === 'c')
    }
  }))

test('[PROJ-1] a dry run creates nothing', () =>
  withTemp(async (root) => {
    expect(await init(root, { dryRun: true })).toMatchObject({ ok: true, value: { root } })
    expect(readdirSync(root)).toEqual([])
  }))

test('[PROJ-1] the folder of a clone becomes private, too', () =>
  withTemp(async (root) => {
    mkdirSync(join(root, '.cleo'), { mode: 0o755 })
    writeFileSync(join(root, '.cleo', 'config.json'), '{ "claims": { "lease": 5 } }\n')
    expect(await init(root)).toMatchObject({ ok: true, value: { root } })
    expect(statSync(join(root, '.cleo')).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(root, '.cleo', 'config.json'), 'utf8')).toBe('{ "claims": { "lease": 5 } }\n')
  }))

test('[PROJ-1] a lost database is not replaced by an empty one', () =>
  withTemp(async (root) => {
    await init(root)
    writeFileSync(join(root, '.cleo', 'secret'), 'x'.repeat(40))
    rmSync(join(root, '.cleo', 'cleo.db'))
    expect(await init(root)).toMatchObject({ ok: false, code: 'store.missing', exit: 3 })
  }))

test('[PROJ-1] neither the home folder nor a bare repository becomes a project', () =>
  withTemp(async (root) => {
    expect(await init(root, { home: root })).toMatchObject({ ok: false, code: 'project.home', exit: 9 })
    for (const name of ['objects', 'refs']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'HEAD'), 'ref: refs/heads/main\n')
    expect(await init(root)).toMatchObject({ ok: false, code: 'project.bare', exit: 9 })
    expect(readdirSync(root)).not.toContain('.cleo')
  }))

test('[PROJ-1] a broken configuration and unknown input are refused', () =>
  withTemp(async (root) => {
    expect(await init(root, { input: { force: true } })).toMatchObject({ ok: false, code: 'input.invalid' })
    mkdirSync(join(root, '.cleo'))
    writeFileSync(join(root, '.cleo', 'config.json'), '{ "claim": 1 }\n')
    expect(await init(root)).toMatchObject({
      ok: false,
      code: 'config.invalid',
      problems: [{ path: 'claim', message: '"claim" is not a known field; did you mean "claims"?' }],
    })
  }))
