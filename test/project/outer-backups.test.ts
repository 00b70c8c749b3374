import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { data, executable, type Ran, run, start } from '../support/cleo.ts'
import { shellWords } from '../support/shell-words.ts'
import { withTemp } from '../support/temp.ts'

interface Shop {
  home: string
  folder: string
  cleo(words: string, env?: Record<string, string>): Ran
  /** The names of the backups in the state folder. */
  backups(): string[]
  /** The folder of the project inside the state folder. */
  state(): string
}

const shopIn = (home: string, folder: string): Shop => {
  const cleo = (words: string, env = {}) =>
    run(executable, shellWords(words), { cwd: folder, env: { HOME: home, ...env } })
  const state = () => {
    const mark = readdirSync(join(folder, '.cleo')).find((name) => name.startsWith('project.'))!
    return join(home, '.local/state/cleo', mark.slice('project.'.length))
  }
  const backups = () => (existsSync(join(state(), 'backups')) ? readdirSync(join(state(), 'backups')) : [])
  return { home, folder, cleo, state, backups }
}

/** Makes a git repository with an epic and a task, and a home folder outside of it. */
const withShop = (work: (shop: Shop) => void | Promise<void>): Promise<void> =>
  withTemp(async (temp) => {
    const shop = shopIn(join(temp, 'home'), join(temp, 'shop'))
    mkdirSync(shop.folder)
    git(shop, 'init', '-q')
    data(shop.cleo('init'))
    data(shop.cleo('add Accounts --type epic --description all'))
    data(shop.cleo('add Form --parent T001 --description "build it"'))
    await work(shop)
  })

const git = ({ folder }: Shop, ...args: string[]): void => {
  const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

interface Refusal {
  code: string
  exit: number
  message: string
  fix?: string
}

const refused = (ran: Ran): Refusal => {
  const { success, error } = JSON.parse(ran.stdout) as { success: boolean; error: Refusal }
  expect(success).toBe(false)
  expect(error.exit).toBe(ran.exit)
  return error
}

/** Runs a printed fix without a change. */
const follow = (shop: Shop, { fix }: Refusal): Ran => {
  expect(fix).toMatch(/^cleo /)
  return shop.cleo(fix!.slice('cleo '.length))
}

const anHourLater = (shop: Shop): void => {
  const past = Date.now() / 1000 - 1
  utimesSync(join(shop.state(), 'due'), past, past)
}

const titlesIn = (path: string): string[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT title FROM tasks ORDER BY seq').all() as { title: string }[]
  database.close()
  return rows.map(({ title }) => title)
}

test('[PROJ-9] a mutating command saves the database in the state folder, at most once an hour', () =>
  withShop((shop) => {
    expect(shop.backups(), 'made by the first command').toHaveLength(1)
    const [first] = shop.backups()
    expect(statSync(join(shop.state(), 'backups', first!)).mode & 0o777).toBe(0o600)
    expect(statSync(shop.state()).mode & 0o777).toBe(0o700)
    data(shop.cleo('add Mails'))
    expect(shop.backups()).toEqual([first])
    anHourLater(shop)
    data(shop.cleo('list'))
    data(shop.cleo('add Never --dry-run'))
    refused(shop.cleo('complete T099'))
    expect(shop.backups(), 'neither by a query, nor by a dry run, nor by a refused command').toEqual([first])
    data(shop.cleo('add Invoices'))
    const last = shop.backups().at(-1)!
    expect(last).not.toBe(first)
    expect(titlesIn(join(shop.state(), 'backups', last))).toEqual(['Accounts', 'Form', 'Mails', 'Invoices'])
    expect(data(shop.cleo('restore --list'))).toMatchObject({
      backups: [{ file: join(shop.state(), 'backups', last), tasks: 4 }, { tasks: 1 }],
    })
  }))

test('[PROJ-9] a time of the next backup that a wrong clock has set is not waited for', () =>
  withShop((shop) => {
    const years = Date.now() / 1000 + 1e8
    utimesSync(join(shop.state(), 'due'), years, years)
    data(shop.cleo('add Mails'))
    expect(shop.backups()).toHaveLength(2)
  }))

test('[PROJ-9] the newest five are kept', () =>
  withShop((shop) => {
    for (let i = 0; i < 6; i++)
      writeFileSync(join(shop.state(), 'backups', `cleo-2025-01-0${i + 1}T00-00-00Z.db`), 'old')
    anHourLater(shop)
    data(shop.cleo('add Mails'))
    expect(shop.backups()).toEqual([
      ...[4, 5, 6].map((day) => `cleo-2025-01-0${day}T00-00-00Z.db`),
      ...shop.backups().slice(-2),
    ])
    expect(titlesIn(join(shop.state(), 'backups', shop.backups().at(-1)!))).toContain('Mails')
  }))

test('[PROJ-9] eight processes at once make one backup', () =>
  withShop(async (shop) => {
    const before = shop.backups()
    anHourLater(shop)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        start(executable, ['add', `writer ${i}`], { cwd: shop.folder, env: { HOME: shop.home } }),
      ),
    )
    for (const answer of answers) expect(answer).toMatchObject({ exit: 0, stderr: '' })
    expect(shop.backups()).toHaveLength(before.length + 1)
  }))

/** Adds a task in another process. Calls `onDraft` when the backup of that process has begun. */
const addWatched = (shop: Shop, title: string, onDraft: (kill: () => void) => void) =>
  new Promise<{ printed: string; savedWhenPrinted: string[]; isKilled: boolean }>((resolve, reject) => {
    const child = spawn(executable.command[0], ['add', title], {
      cwd: shop.folder,
      env: { PATH: process.env['PATH'], HOME: shop.home, USER: 'ada' },
    })
    let printed = ''
    let savedWhenPrinted: string[] | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      savedWhenPrinted ??= shop.backups().filter((name) => name.endsWith('.db'))
      printed += String(chunk)
    })
    const watch = setInterval(() => {
      if (!shop.backups().some((name) => /\.db\.\w{8}$/.test(name))) return
      clearInterval(watch)
      onDraft(() => child.kill('SIGKILL'))
    }, 1)
    child.on('error', reject)
    child.on('close', (_, signal) => {
      clearInterval(watch)
      resolve({ printed, savedWhenPrinted: savedWhenPrinted ?? [], isKilled: signal === 'SIGKILL' })
    })
  })

/** Adds tasks until a process was killed during its backup. On a busy machine, a backup can end before the kill. */
const killedWhileItSaves = async (shop: Shop) => {
  for (let n = 1; ; n++) {
    const title = `Mails-${n}`
    const before = shop.backups()
    anHourLater(shop)
    const added = await addWatched(shop, title, (kill) => kill())
    const after = shop.backups().filter((name) => name.endsWith('.db'))
    if (added.isKilled && after.join() === before.join()) return { title, before, ...added }
  }
}

test('[PROJ-9] the answer is printed before the backup, and kill -9 during it loses neither', () =>
  withShop(async (shop) => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      title: `row ${i}`,
      description: 'x'.repeat(500),
    }))
    data(
      run(executable, ['add', '--batch'], {
        cwd: shop.folder,
        env: { HOME: shop.home },
        input: JSON.stringify(rows),
      }),
    )
    const { title, printed, savedWhenPrinted, before } = await killedWhileItSaves(shop)
    expect(printed).toMatch(new RegExp(`^T\\d+ ${title}`))
    expect(savedWhenPrinted, 'nothing was saved before the answer').toEqual(before)
    expect(data(shop.cleo(`find ${title} --exact`)), 'the change is there').toMatchObject({
      tasks: [{ title }],
    })
    expect(shop.backups().filter((name) => name.endsWith('.db'))).toEqual(before)
    expect(shop.backups().length, 'an incomplete file is left').toBeGreaterThan(before.length)
    const due = statSync(join(shop.state(), 'due')).mtimeMs
    expect(due, 'the next attempt is soon').toBeLessThan(Date.now() + 6 * 60_000)
    anHourLater(shop)
    data(shop.cleo('add Invoices'))
    expect(
      shop.backups().filter((name) => !name.endsWith('.db')),
      'and cleans up',
    ).toEqual([])
    expect(titlesIn(join(shop.state(), 'backups', shop.backups().at(-1)!)).slice(-2)).toEqual([
      title,
      'Invoices',
    ])
  }))

test('[PROJ-9] git clean -fdx costs what was done since the last backup, by following the printed fix', () =>
  withShop((shop) => {
    anHourLater(shop)
    writeFileSync(join(shop.folder, '.cleo', 'config.json'), '{"claims": {"lease": 5}}\n')
    data(shop.cleo('add Mails --type epic'))
    data(shop.cleo('add "Since the backup" --parent T003 --description "Later."'))
    data(shop.cleo('spawn T004 --ref'))
    git(shop, 'clean', '-fdxq')
    expect(readdirSync(shop.folder)).toEqual(['.git'])
    const inside = join(shop.folder, 'src')
    mkdirSync(inside)
    const below = refused(run(executable, ['list'], { cwd: inside, env: { HOME: shop.home } }))
    expect(below).toMatchObject({ code: 'project.missing', exit: 9 })
    expect(below.message).toMatch(
      /shop had one: a backup of 20.*Z with 3 tasks is in .*\.db\. Later changes, including T004, are not in this backup, because CLEO makes a backup at most once an hour\.$/,
    )
    expect(below.fix).toBe(`cleo init --restore --project ${shop.folder}`)
    expect(refused(shop.cleo('doctor')).fix).toBe('cleo init --restore')
    const lost = refused(shop.cleo('init'))
    expect(lost).toMatchObject({ code: 'project.lost', exit: 3, fix: 'cleo init --restore' })
    expect(existsSync(join(shop.folder, '.cleo')), 'nothing is made').toBe(false)
    expect(data(follow(shop, below))).toMatchObject({
      tasks: 3,
      next: ['cleo list', 'cleo next', 'cleo status'],
    })
    expect(data(shop.cleo('list'))).toMatchObject({
      tasks: [{ title: 'Accounts' }, { title: 'Form' }, { title: 'Mails' }],
    })
    expect(readFileSync(join(shop.folder, '.cleo', 'config.json'), 'utf8')).toContain('"lease": 5')
    expect(statSync(join(shop.folder, '.cleo')).mode & 0o777).toBe(0o700)
    expect(shop.cleo('doctor').exit).toBe(0)
    expect(data(shop.cleo('init'))).toMatchObject({ noChange: true })
  }))

test('[PROJ-9] a branch without the configuration loses nothing, and its private files stay out of git', () =>
  withShop((shop) => {
    shop.cleo('config set claims.lease 5')
    git(shop, 'checkout', '-q', '-b', 'feature')
    git(shop, 'add', '-A')
    git(shop, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'Configuration')
    git(shop, 'checkout', '-q', '--orphan', 'other')
    git(shop, 'rm', '-rfq', '.')
    expect(readdirSync(join(shop.folder, '.cleo'))).not.toContain('config.json')
    git(shop, 'add', '-A')
    const added = spawnSync('git', ['ls-files', '.cleo'], { cwd: shop.folder, encoding: 'utf8' })
    expect(added.stdout).toBe('')
    shop.cleo('add More')
    expect(data(shop.cleo('init'))).toMatchObject({ noChange: true })
    expect(data(shop.cleo('list')), 'not an old backup').toMatchObject({ tasks: [{}, { title: 'Form' }] })
    expect(shop.cleo('doctor').exit).toBe(0)
  }))

test('[PROJ-9] where git tracks the configuration, the refusals and doctor offer the backup', () =>
  withShop((shop) => {
    git(shop, 'add', '.cleo/config.json')
    for (const way of ['restore', 'doctor', 'init']) {
      git(shop, 'clean', '-fdxq')
      expect(readdirSync(join(shop.folder, '.cleo')).sort()).toEqual(['config.json'])
      const missing = refused(shop.cleo('add More'))
      expect(missing).toMatchObject({ code: 'store.missing', exit: 3 })
      expect(missing.fix).toMatch(/^cleo restore \/.*\.db$/)
      expect(refused(shop.cleo('doctor'))).toMatchObject({ exit: 3, fix: 'cleo doctor --fix' })
      if (way === 'restore') data(follow(shop, missing))
      if (way === 'doctor') data(shop.cleo('doctor --fix'))
      if (way === 'init') data(follow(shop, refused(shop.cleo('init'))))
      expect(data(shop.cleo('list')), way).toMatchObject({ tasks: [{ title: 'Accounts' }] })
      expect(shop.cleo('doctor').exit, way).toBe(0)
      expect(shop.backups(), 'the same project as before').toHaveLength(1)
    }
  }))

test('[PROJ-9] [TOK-9] an agent does not decide what becomes of a lost project', () =>
  withShop((shop) => {
    git(shop, 'clean', '-fdxq')
    const agents: Record<string, string>[] = [{ CLAUDECODE: '1' }, { CLEO_AGENT_ID: 'T002.1' }]
    for (const env of agents) {
      expect(refused(shop.cleo('init', env)).code).toBe('project.lost')
      for (const flag of ['--restore', '--empty'])
        expect(refused(shop.cleo(`init ${flag}`, env))).toMatchObject({ code: 'person.needed', exit: 64 })
    }
    expect(existsSync(join(shop.folder, '.cleo'))).toBe(false)
    mkdirSync(join(shop.folder, '.cleo'))
    writeFileSync(join(shop.folder, '.cleo', 'config.json'), '{}\n')
    const found = refused(shop.cleo('doctor --fix', { CLAUDECODE: '1' }))
    expect(found.fix).toMatch(/^cleo restore /)
    expect(existsSync(join(shop.folder, '.cleo', 'cleo.db'))).toBe(false)
  }))

test('[PROJ-9] init --empty starts anew and keeps the old backups; --restore needs one', () =>
  withShop((shop) => {
    const old = join(shop.state(), 'backups', shop.backups()[0]!)
    git(shop, 'clean', '-fdxq')
    expect(refused(shop.cleo('init --restore --empty'))).toMatchObject({ code: 'input.invalid', exit: 6 })
    data(shop.cleo('init --empty'))
    expect(data(shop.cleo('list'))).toMatchObject({ tasks: [] })
    data(shop.cleo('add Anew'))
    expect(existsSync(old)).toBe(true)
    expect(refused(shop.cleo(`restore ${old}`))).toMatchObject({ code: 'backup.other', exit: 3 })
    expect(data(shop.cleo(`restore ${old} --other-project`))).toMatchObject({ tasks: 1 })
    rmSync(join(shop.folder, '.cleo'), { recursive: true })
    rmSync(shop.home, { recursive: true })
    const none = refused(shop.cleo('init --restore'))
    expect(none).toMatchObject({ code: 'project.unsaved', exit: 4 })
    data(follow(shop, none))
  }))

test('[PROJ-9] [SESS-3] after a loss, task ids and attempts of spawns since the backup are not given out again', () =>
  withShop((shop) => {
    data(shop.cleo('add Mails --parent T001 --description "send them"'))
    data(shop.cleo('orchestrate spawn T003 --ref'))
    git(shop, 'clean', '-fdxq')
    data(shop.cleo('init --restore'))
    expect(refused(shop.cleo('add "of the lost agent" --as T003.1'))).toMatchObject({
      code: 'spawn.restored',
      exit: 35,
    })
    expect(data(shop.cleo('add Other --parent T001 --description "else"'))).toMatchObject({ id: 'T004' })
  }))

test('[PROJ-9] without a home folder, or one that cannot be written, commands work and doctor warns once', () =>
  withShop((shop) => {
    const file = join(shop.folder, 'file')
    writeFileSync(file, '')
    const bad: Record<string, string>[] = [{ HOME: '' }, { HOME: file }, { XDG_STATE_HOME: `${file}/state` }]
    for (const env of bad) {
      const ran = shop.cleo('add More', env)
      expect(ran).toMatchObject({ exit: 0, stderr: '' })
      const { problems } = refused(shop.cleo('doctor', env)) as unknown as { problems: { path: string }[] }
      expect(problems).toMatchObject([{ path: 'outside', severity: 'warning', fixable: false }])
    }
    rmSync(join(shop.state(), 'backups'), { recursive: true })
    writeFileSync(join(shop.state(), 'backups'), 'in the way')
    anHourLater(shop)
    expect(shop.cleo('add More')).toMatchObject({ exit: 0, stderr: '' })
    expect(refused(shop.cleo('doctor')).message).toMatch(/no backups can be kept outside the project: EEXIST/)
    rmSync(join(shop.state(), 'backups'))
    anHourLater(shop)
    data(shop.cleo('add More'))
    expect(shop.backups()).toHaveLength(1)
    expect(shop.cleo('doctor').exit, 'and the warning ends').toBe(0)
    const relative = shop.cleo('add More', { XDG_STATE_HOME: 'relative' })
    expect(relative.exit).toBe(0)
    expect(existsSync(join(shop.folder, 'relative')), 'a relative path is ignored').toBe(false)
  }))

test('[PROJ-9] a project that was moved keeps its id; a copy gets its own and leaves the backups alone', () =>
  withShop((shop) => {
    const state = shop.state()
    const copy = shopIn(shop.home, `${shop.folder}-copy`)
    expect(spawnSync('cp', ['-a', shop.folder, copy.folder]).status).toBe(0)
    data(copy.cleo('list'))
    anHourLater(shop)
    data(copy.cleo('add "In the copy"'))
    expect(copy.state()).not.toBe(state)
    expect(copy.backups()).toHaveLength(1)
    expect(shop.backups()).toHaveLength(1)
    expect(copy.cleo('doctor').exit).toBe(0)
    const moved = shopIn(shop.home, `${shop.folder}-moved`)
    renameSync(shop.folder, moved.folder)
    anHourLater(moved)
    data(moved.cleo('add "After the move"'))
    expect(moved.state()).toBe(state)
    expect(moved.backups()).toHaveLength(2)
    rmSync(join(moved.folder, '.cleo'), { recursive: true })
    expect(refused(moved.cleo('list')).fix, 'found at its new path').toBe('cleo init --restore')
    mkdirSync(shop.folder)
    data(shop.cleo('init'))
  }))

test('[PROJ-9] the database of another project is refused, by every command, and not changed', () =>
  withShop((shop) => {
    const other = shopIn(shop.home, `${shop.folder}-other`)
    mkdirSync(other.folder)
    data(other.cleo('init'))
    data(other.cleo('add "Of the other"'))
    const path = join(shop.folder, '.cleo', 'cleo.db')
    const own = `${path}.away`
    renameSync(path, own)
    cpSync(join(other.folder, '.cleo', 'cleo.db'), path)
    const bytes = readFileSync(path)
    for (const words of ['list', 'add More', 'show T001', 'orchestrate next', 'backup', 'export']) {
      const answer = refused(shop.cleo(words))
      expect(answer, words).toMatchObject({ code: 'store.other', exit: 3, fix: 'cleo restore --list' })
      expect(answer.message).toMatch(
        /is not the database of this project \(\w{12}\): it belongs to project \w{12}/,
      )
    }
    const found = refused(shop.cleo('doctor --fix')) as unknown as { problems: { path: string }[] }
    expect(found.problems.map(({ path }) => path)).toEqual(['project'])
    expect(readFileSync(path).equals(bytes), 'not a byte').toBe(true)
    const { backups } = data<{ backups: { file: string }[] }>(follow(shop, refused(shop.cleo('list'))))
    const restored = data<{ kept: string }>(shop.cleo(`restore ${backups[0]!.file}`))
    expect(restored.kept).toContain('/other-project-')
    expect(titlesIn(restored.kept), 'and kept beside the restored one').toEqual(['Of the other'])
    expect(data(shop.cleo('list'))).toMatchObject({ tasks: [{ title: 'Accounts' }] })
    renameSync(own, path)
    expect(data(shop.cleo('list'))).toMatchObject({ tasks: [{ title: 'Accounts' }, { title: 'Form' }] })
  }))

test('[PROJ-9] a backup of another project replaces no tasks without --other-project', () =>
  withShop((shop) => {
    const other = shopIn(shop.home, `${shop.folder}-other`)
    mkdirSync(other.folder)
    data(other.cleo('init'))
    data(other.cleo('add "Of the other"'))
    data(other.cleo(`backup --out ${shop.folder}/other.db`))
    expect(refused(shop.cleo('restore other.db'))).toMatchObject({ code: 'backup.other', exit: 3 })
    data(shop.cleo('restore other.db --other-project'))
    expect(data(shop.cleo('list'))).toMatchObject({ tasks: [{ title: 'Of the other' }] })
    const empty = shopIn(shop.home, `${shop.folder}-empty`)
    mkdirSync(empty.folder)
    data(empty.cleo('init'))
    data(empty.cleo(`restore ${shop.folder}/other.db`))
    data(empty.cleo('add More'))
    expect(empty.state(), 'a new project takes the tasks, not the id').not.toBe(other.state())
  }))

test('[PROJ-9] a project id that is no id, as a hostile database may hold, never becomes a path', () =>
  withShop((shop) => {
    const path = join(shop.folder, '.cleo', 'cleo.db')
    for (const id of ['../../../evil', '', 'x'.repeat(5000), 'T0123456789_', '/tmp/evil']) {
      const database = new DatabaseSync(path)
      database.prepare('UPDATE project SET id = ?').run(id)
      database.close()
      for (const mark of [true, false]) {
        if (!mark)
          for (const name of readdirSync(join(shop.folder, '.cleo')))
            if (name.startsWith('project.')) rmSync(join(shop.folder, '.cleo', name))
        expect(shop.cleo('add More').exit, id.slice(0, 20)).toBe(3)
      }
    }
    expect(readdirSync(shop.home, { recursive: true }).join()).not.toContain('evil')
  }))
