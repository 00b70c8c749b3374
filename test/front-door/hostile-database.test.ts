import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, type Ran, start } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

interface Machine {
  /** Runs cleo in a folder, as the user with this home folder. */
  cleo(home: string, folder: string, ...args: string[]): Promise<Ran>
  at(...parts: string[]): string
}

const withMachine = (work: (machine: Machine) => Promise<void>): Promise<void> =>
  withTemp(async (folder) => {
    const at = (...parts: string[]) => join(folder, ...parts)
    for (const home of ['ada', 'bob']) mkdirSync(at(home))
    const cleo: Machine['cleo'] = (home, cwd, ...args) =>
      start(executable, args, { cwd: at(cwd), env: { HOME: at(home) } })
    await work({ cleo, at })
  })

const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' })

/** Makes a project whose database is in git, and clones it. `leftOut` names files of `.cleo` that are not in git. */
const cloned = async ({ cleo, at }: Machine, leftOut: readonly string[] = []): Promise<void> => {
  mkdirSync(at('evil'))
  git(at('evil'), 'init', '-q')
  expect((await cleo('ada', 'evil', 'init')).exit).toBe(0)
  await cleo('ada', 'evil', 'add', 'Mails', '--type', 'epic')
  git(at('evil'), 'add', '-f', '.cleo')
  for (const name of leftOut) git(at('evil'), 'rm', '-q', '--cached', '-f', `.cleo/${name}`)
  git(at('evil'), 'commit', '-qm', 'All of it')
  git(at(), 'clone', '-q', 'evil', 'shop')
}

const error = ({ stdout }: Ran) => (JSON.parse(stdout) as { error?: { code: string; fix?: string } }).error

test('[PROJ-8] [PROJ-9] a database that git tracks is refused by every command, and kept aside by init --empty', () =>
  withMachine(async (machine) => {
    const { cleo, at } = machine
    await cloned(machine)
    for (const args of [
      ['list'],
      ['add', 'x'],
      ['inbox'],
      ['init'],
      ['export'],
      ['db', 'status'],
      ['backup'],
    ])
      expect([args, error(await cleo('bob', 'shop', ...args, '--json'))]).toMatchObject([
        args,
        { code: 'store.cloned', exit: 64, fix: 'cleo init --empty' },
      ])
    const examined = await cleo('bob', 'shop', 'doctor')
    expect(examined.stdout + examined.stderr).toContain('git tracks .cleo/cleo.db')
    expect((await cleo('bob', 'shop', 'init', '--empty')).exit).toBe(0)
    expect((await cleo('bob', 'shop', 'list', '--field', 'tasks')).stdout.trim()).toBe('[]')
    const [aside] = readdirSync(at('shop/.cleo')).filter((name) => name.startsWith('aside-'))
    expect(existsSync(at('shop/.cleo', aside!, 'cleo.db'))).toBe(true)
    expect(statSync(at('shop/.cleo')).mode & 0o777).toBe(0o700)
    expect((await cleo('bob', 'shop', 'restore', `.cleo/${aside}/cleo.db`)).exit).toBe(0)
    expect((await cleo('bob', 'shop', 'show', 'T001')).exit).toBe(0)
  }))

test('[PROJ-8] init adopts no database that was there before, also without a configuration', () =>
  withMachine(async (machine) => {
    const { cleo, at } = machine
    await cloned(machine, ['config.json'])
    expect(error(await cleo('bob', 'shop', 'init', '--json'))).toMatchObject({ code: 'store.cloned' })
    cpSync(at('shop'), at('archive'), { recursive: true, filter: (path) => !path.includes('.git') })
    expect(error(await cleo('bob', 'archive', 'init', '--json'))).toMatchObject({ code: 'store.cloned' })
    await cleo('bob', 'archive', 'init', '--empty')
    expect(existsSync(at('bob/.cleo/trust.json')), 'nothing is trusted').toBe(false)
  }))

test("[PROJ-9] the owner's project works after it was moved, copied, unpacked or mounted elsewhere", () =>
  withMachine(async ({ cleo, at }) => {
    mkdirSync(at('own'))
    git(at('own'), 'init', '-q')
    await cleo('ada', 'own', 'init')
    await cleo('ada', 'own', 'add', 'Mails')
    git(at('own'), 'add', '.')
    git(at('own'), 'commit', '-qm', 'x')
    renameSync(at('own'), at('moved'))
    cpSync(at('moved'), at('copy'), { recursive: true })
    for (const [home, folder] of [
      ['ada', 'moved'],
      ['ada', 'copy'],
      ['bob', 'moved'],
    ] as const)
      expect([folder, (await cleo(home, folder, 'show', 'T001')).exit]).toEqual([folder, 0])
  }))

test('[PROJ-8] [PROJ-9] links in .cleo are refused, and nothing is written where they lead', () =>
  withMachine(async ({ cleo, at }) => {
    for (const folder of ['own', 'victim', 'shop']) mkdirSync(at(folder))
    await cleo('ada', 'own', 'init')
    mkdirSync(at('shop/.cleo'))
    symlinkSync('../../own/.cleo/cleo.db', at('shop/.cleo/cleo.db'))
    cpSync(at('own/.cleo/config.json'), at('shop/.cleo/config.json'))
    const refused = async (folder: string, ...args: string[]) =>
      expect([args, error(await cleo('ada', folder, ...args, '--json'))]).toMatchObject([
        args,
        { code: 'file.link', exit: 3 },
      ])
    for (const args of [['list'], ['add', 'x'], ['init']]) await refused('shop', ...args)
    mkdirSync(at('linked'))
    symlinkSync('../own/.cleo', at('linked/.cleo'))
    for (const args of [['list'], ['add', 'x'], ['init'], ['trust'], ['config', 'list'], ['skills', 'list']])
      await refused('linked', ...args)
    await cleo('ada', 'own', 'add', 'Mails', '--type', 'epic')
    await cleo('ada', 'own', 'add', 'Research mails', '--parent', 'T001', '--description', 'd')
    for (const [name, args] of [
      ['spawns', ['spawn', 'T002', '--ref']],
      ['backups', ['backup']],
    ] as const) {
      symlinkSync(at('victim'), at('own/.cleo', name))
      await refused('own', ...args)
    }
    symlinkSync(at('victim'), at('own/.cleo/content'))
    await cleo('ada', 'own', 'skills', 'show', 'ct-task-executor')
    expect(readdirSync(at('victim'))).toEqual([])
    expect((await cleo('ada', 'own', 'list', '--spawned', '--help')).exit).toBe(0)
  }))
