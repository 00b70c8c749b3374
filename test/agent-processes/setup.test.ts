import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { writeAll } from '../../src/clients/apply.ts'
import { jsonValue, parseJson } from '../../src/clients/json-text.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { clientNames } from '../../src/kernel/client-names.ts'
import { type SettingsCase, settingsCases } from '../clients/settings-corpus.ts'
import { executable, run } from '../support/cleo.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { git } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Returns every file of a project with its bytes and mode, except the files of CLEO and the home folder. */
const filesOf = (root: string, below = ''): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(root, below)).flatMap((name) => {
      const path = below ? `${below}/${name}` : name
      if (path === '.cleo' || path === '.home') return []
      const stat = lstatSync(join(root, path))
      if (stat.isDirectory()) return [[`${path}/`, ''], ...Object.entries(filesOf(root, path))]
      if (stat.isSymbolicLink()) return [[path, `-> ${readFileSync(join(root, path), 'latin1')}`]]
      return [[path, `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(root, path), 'latin1')}`]]
    }),
  )

/**
 * Writes the file of a case into the project. If the case names a link, writes the file to that path instead, and
 * makes the path of the case a link to the file.
 */
const arrange = (root: string, { path, text, link, mode }: SettingsCase): void => {
  const isBytes = text.includes('\uFFFD')
  put(root, link ?? path, text)
  if (isBytes) writeFileSync(join(root, path), Buffer.from('{\n  "model": "\xff"\n}\n', 'latin1'))
  if (link) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(root, link), join(root, path))
  }
  if (mode) chmodSync(join(root, path), mode)
}

/** Edits a file as a person would. The edit is the same whether the file has entries of CLEO or not. */
const edit = (path: string, text: string): string => {
  if (path.endsWith('.toml')) return `edited = true\n${text}`
  if (path.endsWith('.md')) return text.startsWith('---') ? `${text}Edited.\n` : `Edited.\n${text}`
  if (!text.includes('{')) return '{ "edited": true }'
  const empty = /^\uFEFF?\s*\{(\s|\/\/.*)*\}/.test(text)
  return text.replace('{', `{ "edited": true${empty ? '' : ','}`)
}

const meaning = (path: string, text: string): unknown => {
  if (path.endsWith('.toml')) return parseToml(text)
  if (path.endsWith('.md')) return text
  const parsed = parseJson(text)
  return parsed.ok ? jsonValue(parsed.root) : text
}

/** Whether `other` has all characters of `text` in the same order. Ignores the whitespace of `text`. */
const isContained = (text: string, other: string): boolean => {
  let at = -1
  return [...text.replace(/\s/g, '')].every((char) => {
    at = other.indexOf(char, at + 1)
    return at >= 0
  })
}

const setUp = ({ call }: TestProject, { client }: SettingsCase) => call('admin.setup', { client, yes: true })

const accepted = settingsCases.filter(({ refused }) => !refused)
const refused = settingsCases.filter((each) => each.refused)
const title = ({ client, path, name }: SettingsCase): string => `${client} ${path}: ${name}`

test('[PROV-2] the corpus has at least 40 files', () => {
  expect(settingsCases.length).toBeGreaterThanOrEqual(40)
})

/** Runs all cases in one project, because making a project takes longer than a set-up. */
const inTurn = (
  cases: readonly SettingsCase[],
  work: (project: TestProject, each: SettingsCase) => Promise<void>,
) =>
  withProject(async (project) => {
    const failures: string[] = []
    for (const each of cases) {
      arrange(project.root, each)
      try {
        await work(project, each)
      } catch (error) {
        failures.push(`${title(each)}: ${(error as Error).message}`)
        await project.call('admin.setup', { client: each.client, undo: true, yes: true })
      }
      for (const name of readdirSync(project.root))
        if (name !== '.cleo' && name !== '.home')
          rmSync(join(project.root, name), { recursive: true, force: true })
      rmSync(join(project.root, '../outside.json'), { force: true })
    }
    expect(failures).toEqual([])
  })

test('[PROV-2] a link that leads to files of git or CLEO, a pipe, and deep nesting refuse the whole client', () =>
  withProject(async (project) => {
    const { root, call } = project
    mkdirSync(join(root, '.git/hooks'), { recursive: true })
    put(root, '.git/config', '[core]\n')
    const config = readFileSync(join(root, '.cleo/config.json'), 'utf8')
    const refusedFor = async (path: string, why: RegExp) => {
      const before = existsSync(join(root, '.mcp.json'))
      const answer = await call('admin.setup', { client: 'claude', yes: true })
      expect(answer).toMatchObject({ ok: false, code: 'client.files' })
      expect(JSON.stringify(answer)).toMatch(why)
      expect(existsSync(join(root, '.claude/skills')), path).toBe(false)
      expect(existsSync(join(root, '.mcp.json')), path).toBe(before)
      rmSync(join(root, path), { recursive: true })
    }
    for (const [path, target] of [
      ['CLAUDE.md', '.git/config'],
      ['.mcp.json', '.cleo/config.json'],
      ['.claude/agents', '../.git/hooks'],
    ] as const) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      symlinkSync(target, join(root, path))
      await refusedFor(path, /which is not a file of a client/)
    }
    expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('[core]\n')
    expect(readFileSync(join(root, '.cleo/config.json'), 'utf8')).toBe(config)
    execFileSync('mkfifo', [join(root, '.claude/settings.json')])
    await refusedFor('.claude/settings.json', /is not a regular file/)
    put(root, '.mcp.json', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    await refusedFor('.mcp.json', /nested deeper/)
  }))

test('[PROV-2] files and folders that may not be read or written, or are no files, refuse the whole client', () =>
  withProject(async ({ root, call }) => {
    const refusedFor = async (path: string, why: string) => {
      const answer = await call('admin.setup', { client: 'claude', yes: true })
      expect(answer, path).toMatchObject({ ok: false, code: 'client.files', exit: 3 })
      expect(JSON.stringify(answer), path).toContain(why)
      expect(existsSync(join(root, 'CLAUDE.md')), path).toBe(false)
    }
    const settings = join(root, '.claude/settings.json')
    put(root, '.claude/settings.json', '{}\n')
    chmodSync(settings, 0o000)
    await refusedFor('a file without any permission', 'is read-only')
    chmodSync(settings, 0o644)
    chmodSync(join(root, '.claude'), 0o555)
    await refusedFor('a folder that is read-only', 'which is read-only')
    chmodSync(join(root, '.claude'), 0o755)
    writeFileSync(settings, `{ "a": "${'x'.repeat(5 << 20)}" }\n`)
    await refusedFor('a huge file', 'is too large')
    rmSync(settings)
    mkdirSync(settings)
    await refusedFor('a folder in its place', 'is a folder')
    rmdirSync(settings)
    symlinkSync('nowhere.json', settings)
    await refusedFor('a link to nothing', 'is a link that leads nowhere')
    rmSync(join(root, '.claude'), { recursive: true })
    writeFileSync(join(root, '.claude'), '')
    await refusedFor('a file in the place of a folder', 'which is not a folder')
  }))

test('[PROV-2] in a project that moved, check names the old paths, set-up renews them, and undo leaves nothing', () =>
  withTemp(async (folder) => {
    const [old, moved] = [join(folder, 'old'), join(folder, 'new')]
    const env = { HOME: join(folder, 'home') }
    const cleo = (cwd: string, ...args: string[]) => run(executable, args, { cwd, env })
    mkdirSync(old)
    put(old, 'CLAUDE.md', '# Mine\n')
    cleo(old, 'init')
    expect(cleo(old, 'setup', 'claude', '--yes').exit).toBe(0)
    renameSync(old, moved)
    const checked = cleo(moved, 'setup', 'claude', '--check')
    expect(checked.stdout + checked.stderr).toContain(
      'are missing or differ from what cleo setup writes (.claude/settings.local.json',
    )
    expect(cleo(moved, 'setup', 'claude', '--yes').exit).toBe(0)
    const local = readFileSync(join(moved, '.claude/settings.local.json'), 'utf8')
    expect(local).toContain(`Read(/${moved}/.cleo/spawns/**)`)
    expect(local).not.toContain(`${old}/`)
    expect(cleo(moved, 'setup', 'claude', '--undo', '--yes').exit).toBe(0)
    expect(Object.keys(filesOf(moved))).toEqual(['CLAUDE.md'])
    expect(readFileSync(join(moved, 'CLAUDE.md'), 'utf8')).toBe('# Mine\n')
  }))

test('[PROV-2] set-up and undo of every file of the corpus give back every byte', () =>
  inTurn(accepted, async (project, each) => {
    const { root, must } = project
    const before = filesOf(root)
    const answer = await setUp(project, each)
    expect(answer, 'is accepted').toMatchObject({ ok: true, value: { applied: true } })
    if (answer.ok && each.kept) expect(JSON.stringify(answer.value.kept)).toContain(each.kept)
    const after = filesOf(root)
    expect(isContained(each.text, readFileSync(join(root, each.path), 'utf8')), 'keeps every character').toBe(
      true,
    )
    const second = await must('admin.setup', { client: each.client, yes: true })
    expect(second, 'changes nothing a second time').toMatchObject({ noChange: true, files: [] })
    expect(filesOf(root), 'is the same after the second time').toEqual(after)
    await must('admin.setup', { client: each.client, undo: true, yes: true })
    expect(filesOf(root), 'gives every byte back').toEqual(before)
  }))

test('[PROV-2] undo removes only our entries from every file of the corpus that was edited in between', () =>
  inTurn(accepted, async (project, each) => {
    const { root, must } = project
    await setUp(project, each)
    const path = join(root, each.path)
    writeFileSync(path, edit(each.path, readFileSync(path, 'utf8')))
    await must('admin.setup', { client: each.client, undo: true, yes: true })
    const left = readFileSync(path, 'utf8')
    const expected = edit(each.path, each.text)
    expect(meaning(each.path, left)).toEqual(meaning(each.path, expected))
    if (!each.blanks) expect(left).toBe(expected)
  }))

test('[PROV-2] a file that cannot be changed refuses the whole client and touches nothing', () =>
  inTurn(refused, async (project, each) => {
    const { root } = project
    const before = filesOf(root)
    const answer = await setUp(project, each)
    expect(answer).toMatchObject({ ok: false, code: 'client.files', exit: 3 })
    if (!answer.ok) expect(JSON.stringify(answer.problems).replaceAll('\\"', '"')).toContain(each.refused)
    expect(filesOf(root)).toEqual(before)
  }))

test('[PROV-2] if a file cannot be written, the files and folders before it are as they were', () =>
  withTemp(async (root) => {
    put(root, 'settings.json', '{}\n')
    mkdirSync(join(root, 'folder'))
    const before = filesOf(root)
    const done = writeAll(nodeHost(), [
      { target: join(root, 'settings.json'), before: '{}\n', after: '{ "a": 1 }\n' },
      { target: join(root, 'agents/deep/agent.md'), after: 'Agent.\n' },
      { target: join(root, 'folder'), after: 'Skill.\n' },
    ])
    expect(done).toMatchObject({ ok: false, path: join(root, 'folder') })
    expect(filesOf(root)).toEqual(before)
  }))

test('[PROV-2] undo removes the empty folders of set-up, also after an undo that was killed half-way', () =>
  withProject(async ({ root, must }) => {
    put(root, '.codex/config.toml', 'a = 1\n')
    const before = filesOf(root)
    for (const client of clientNames) await must('admin.setup', { client, yes: true })
    for (const path of Object.keys(filesOf(root)))
      if (!path.endsWith('/') && path !== '.codex/config.toml') rmSync(join(root, path))
    await must('admin.setup', { undo: true, yes: true })
    expect(filesOf(root)).toEqual(before)
  }))

test('[PROV-2] undo keeps a hook that the user added beside ours', () =>
  withProject(async ({ root, must }) => {
    const path = join(root, '.claude/settings.json')
    put(root, '.claude/settings.json', '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n')
    await must('admin.setup', { client: 'claude', yes: true })
    const settings = JSON.parse(readFileSync(path, 'utf8'))
    const own = { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }
    settings.hooks.PreToolUse.push(own)
    settings.hooks.Notification = [own]
    writeFileSync(path, JSON.stringify(settings, null, 4))
    await must('admin.setup', { client: 'claude', undo: true, yes: true })
    expect(JSON.parse(readFileSync(path, 'utf8')), 'the hook of the user is there').toEqual({
      hooks: { PreToolUse: [own], Notification: [own] },
    })
  }))

test('[PROV-2] originals are kept first-write-wins, also over an edit and a second set-up', () =>
  withProject(async ({ root, must, call }) => {
    put(root, 'CLAUDE.md', 'First.\n')
    await must('admin.setup', { client: 'claude', yes: true })
    const path = join(root, 'CLAUDE.md')
    // The user edits the file and removes CLEO's block. The next set-up then writes the block again.
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replace('First.', 'Second.')
        .replace(/<!-- cleo: begin[\s\S]*/, ''),
    )
    expect(await call('admin.setup', { client: 'claude', yes: true })).toMatchObject({
      value: { applied: true },
    })
    await must('admin.setup', { client: 'claude', undo: true, yes: true })
    expect(readFileSync(path, 'utf8')).toBe('Second.\n\n')
  }))

test('[PROV-2] all clients at once share files, and each undo leaves what the others need', () =>
  withProject(async ({ root, must }) => {
    put(root, 'AGENTS.md', '# Agents\n')
    put(root, '.mcp.json', '{ "mcpServers": {} }\n')
    const before = filesOf(root)
    for (const client of clientNames) await must('admin.setup', { client, yes: true })
    for (const client of clientNames)
      expect(await must('admin.setup', { client, yes: true })).toMatchObject({ noChange: true })
    await must('admin.setup', { client: 'codex', undo: true, yes: true })
    expect(existsSync(join(root, '.codex'))).toBe(false)
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toContain('cleo: begin')
    expect(existsSync(join(root, '.agents/skills/ct-orchestrator/SKILL.md'))).toBe(true)
    await must('admin.setup', { client: 'claude', undo: true, yes: true })
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toContain('"mcp"')
    await must('admin.setup', { undo: true, yes: true })
    expect(filesOf(root)).toEqual(before)
  }))

/** Removes what CLEO recorded about set-ups in the user's state folder. */
const forget = ({ root }: TestProject): void => {
  const state = join(root, '.home/.local/state/cleo')
  for (const id of readdirSync(state)) rmSync(join(state, id, 'clients'), { recursive: true, force: true })
}

/**
 * Turns the project into a clone on another machine. The clone has no record of a set-up and no local settings, and
 * paths in its other settings contain the id of another project.
 */
const toClone = (project: TestProject): void => {
  const { root } = project
  forget(project)
  rmSync(join(root, '.claude/settings.local.json'), { force: true })
  for (const path of ['.codex/config.toml', '.gemini/settings.json'])
    if (existsSync(join(root, path)))
      put(
        root,
        path,
        readFileSync(join(root, path), 'utf8').replace(/[0-9a-z]{12}\/worktrees/g, 'zzzzzzzzzzzz/worktrees'),
      )
}

test('[PROV-2] undo in a clone removes the entries it recognises, and says what it cannot give back', () =>
  withProject(async (project) => {
    const { root, must, call } = project
    put(root, 'AGENTS.md', '# Agents\n')
    put(root, 'CLAUDE.md', '# Claude\n')
    put(root, '.claude/settings.json', '{\n  // Mine.\n  "model": "opus"\n}\n')
    put(root, '.codex/config.toml', '[sandbox_workspace_write]\nwritable_roots = ["../logs"]\n')
    put(root, '.cursor/hooks.json', '{ "version": 1, "hooks": { "stop": [{ "command": "beep" }] } }\n')
    const before = filesOf(root)
    for (const client of clientNames) await must('admin.setup', { client, yes: true })
    toClone(project)
    const preview = await call('admin.setup', { client: 'codex', undo: true }, { dryRun: true })
    expect(preview.ok && preview.value.files.map(({ path }) => path).sort()).toEqual([
      '.codex/agents/cleo-subagent.toml',
      '.codex/config.toml',
      '.codex/hooks.json',
    ])
    const codex = await call('admin.setup', { client: 'codex', undo: true, yes: true })
    expect(codex.warnings?.join()).toContain('no record of the set-up for Codex')
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8'), 'others need it').toContain('cleo: begin')
    put(root, '.mcp.json', readFileSync(join(root, '.mcp.json'), 'utf8').replace('"mcp"', '"mcp", "-v"'))
    const rest = await must('admin.setup', { undo: true, yes: true })
    expect(rest.kept).toEqual([
      {
        path: '.mcp.json',
        what: expect.stringMatching(/^mcpServers\.cleo, which differs from what this version/),
      },
    ])
    rmSync(join(root, '.mcp.json'))
    expect(filesOf(root)).toEqual(before)
    expect(await must('admin.setup', { undo: true, yes: true })).toMatchObject({ noChange: true })
  }))

/** Replaces a file by a link, or makes the link if there is no file. */
const link = (root: string, path: string, to: string): void => {
  rmSync(join(root, path), { force: true })
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(to, join(root, path))
}

const local = '.claude/settings.local.json'
const links = [
  ['CLAUDE.md', 'AGENTS.md', 'AGENTS.md'],
  ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.md'],
  [local, 'settings.json', '.claude/settings.json'],
  ['.claude/settings.json', 'settings.local.json', local],
  ['.cursor/mcp.json', '../.mcp.json', '.mcp.json'],
] as const
const textAt = (path: string): string => (path.endsWith('.md') ? '# Mine\n' : '{\n  "mine": 1\n}\n')

test.each(links)(
  '[PROV-2] where %s is a link to %s, each client is set up and undone by itself',
  (from, to, file) =>
    withProject(async ({ root, must }) => {
      put(root, file, textAt(file))
      link(root, from, to)
      const before = filesOf(root)
      for (const client of clientNames) await must('admin.setup', { client, yes: true })
      const written = filesOf(root)
      for (const client of clientNames)
        expect(await must('admin.setup', { client, yes: true })).toMatchObject({ noChange: true })
      await must('admin.setup', { client: 'claude', undo: true, yes: true })
      for (const client of clientNames.filter((name) => name !== 'claude'))
        expect(await must('admin.setup', { client, yes: true }), client).toMatchObject({ noChange: true })
      await must('admin.setup', { client: 'claude', yes: true })
      expect(filesOf(root)).toEqual(written)
      await must('admin.setup', { undo: true, yes: true })
      expect(filesOf(root)).toEqual(before)
    }),
)

test.each(links)(
  '[PROV-2] where %s becomes a link to %s after the set-up, undo still works',
  (from, to, file) =>
    withProject(async (project) => {
      const { root, must } = project
      const records = ['kept', 'kept', 'lost'] as const
      for (const [i, record] of records.entries()) {
        put(root, file, textAt(file))
        const before = filesOf(root)
        for (const client of clientNames) await must('admin.setup', { client, yes: true })
        link(root, from, to)
        // In the second round, set-up runs again after the file became a link and before the undo.
        if (i === 1) for (const client of clientNames) await must('admin.setup', { client, yes: true })
        if (record === 'lost') forget(project)
        await must('admin.setup', { undo: true, yes: true })
        rmSync(join(root, from))
        const left = Object.entries(filesOf(root)).filter(([path]) => !path.endsWith('/'))
        expect(left).toEqual(Object.entries(before).filter(([path]) => !path.endsWith('/')))
      }
    }),
)

test('[PROV-2] set-up for Claude Code warns if git does not ignore its local settings, and only then', () =>
  withProject(async ({ root, must, call }) => {
    const setUpOnce = async (dryRun: boolean) => {
      const answer = await call('admin.setup', { client: 'claude', yes: true }, { dryRun })
      if (!dryRun) await must('admin.setup', { client: 'claude', undo: true, yes: true })
      return answer.warnings ?? []
    }
    const warning = [expect.stringContaining('git does not ignore .claude/settings.local.json')]
    expect(await setUpOnce(false), 'no repository').toEqual([])
    git(root, 'init', '--quiet')
    for (const dryRun of [true, false]) expect(await setUpOnce(dryRun)).toEqual(warning)
    for (const line of [
      '.claude/settings.local.json',
      '.claude/',
      '*.local.json',
      '.claude/*\n!.claude/agents',
    ]) {
      put(root, '.gitignore', `${line}\n`)
      for (const dryRun of [true, false]) expect(await setUpOnce(dryRun), line).toEqual([])
    }
  }))

test('[PROV-2] a damaged record of the set-up counts as missing, and the set-up is still undone', () =>
  withProject(async ({ root, must, call }) => {
    const before = filesOf(root)
    const entry = { clients: ['claude'], entry: { kind: 'nothing' } }
    const files = [
      5,
      [],
      { 'CLAUDE.md': null },
      { 'CLAUDE.md': {} },
      { 'CLAUDE.md': { written: 'a', folders: 5 } },
    ]
    const records = [
      ...['', '{', 'null', '[]', '5', '{"clients":["claude"]}', '{"clients":{"claude":"x"}}'],
      ...files.map((each) => JSON.stringify({ files: each, clients: { claude: 1 } })),
      JSON.stringify({ files: { 'CLAUDE.md': { written: 'a', folders: [], entries: [entry] } } }),
      JSON.stringify({ files: { '../a': { written: 'a', folders: [], entries: [null] } } }),
    ]
    for (const record of records) {
      await must('admin.setup', { client: 'claude', yes: true })
      const state = join(root, '.home/.local/state/cleo')
      for (const id of readdirSync(state))
        if (existsSync(join(state, id, 'clients')))
          writeFileSync(join(state, id, 'clients/setup.json'), record)
      await must('agents.clients.list', {})
      await call('admin.setup', { client: 'claude', check: true })
      await must('admin.setup', { client: 'claude', yes: true })
      await must('admin.setup', { undo: true, yes: true })
      await must('admin.setup', { undo: true, yes: true })
      const left = Object.keys(filesOf(root)).filter((path) => !path.endsWith('/'))
      expect(left, record).toEqual(Object.keys(before))
    }
  }))

test('[PROV-2] a set-up in a clone is taken back first, and what came with the clone is named', () =>
  withProject(async (project) => {
    const { must } = project
    await must('admin.setup', { client: 'claude', yes: true })
    toClone(project)
    const before = filesOf(project.root)
    await must('admin.setup', { client: 'claude', yes: true })
    const undone = await must('admin.setup', { client: 'claude', undo: true, yes: true })
    expect(filesOf(project.root)).toEqual(before)
    expect(undone.next).toEqual([expect.stringContaining('cleo setup claude --undo')])
    await must('admin.setup', { client: 'claude', undo: true, yes: true })
    expect(Object.keys(filesOf(project.root))).toEqual([])
  }))

test('[PROV-2] tracked files name cleo and no absolute path; no file holds a database address', () =>
  withProject(async ({ root, must }) => {
    for (const client of clientNames) await must('admin.setup', { client, yes: true })
    for (const [path, text] of Object.entries(filesOf(root))) {
      expect(text, path).not.toMatch(/postgres(ql)?:/)
      if (path !== '.claude/settings.local.json') expect(text, path).not.toContain(root)
    }
    expect(filesOf(root)['.claude/settings.local.json']).toContain(`Read(/${root}/.cleo/spawns/**)`)
    const atHome = Object.keys(filesOf(join(root, '.home')))
    expect(
      atHome.filter(
        (path) => !'.local/state/cleo/'.startsWith(path) && !path.startsWith('.local/state/cleo/'),
      ),
      'outside the project only the record of the set-up',
    ).toEqual([])
  }))

test('[PROV-2] what is written has the field names of each client', () =>
  withProject(async ({ root, must }) => {
    for (const client of clientNames) await must('admin.setup', { client, yes: true })
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    expect(read('.claude/agents/cleo-subagent.md')).toMatch(
      /^---\nname: cleo-subagent\n[\s\S]*\n {2}- mcp__cleo__finish\n/,
    )
    expect(read('.claude/agents/cleo-subagent.md')).not.toContain('isolation')
    expect(JSON.parse(read('.mcp.json'))).toEqual({
      mcpServers: { cleo: { type: 'stdio', command: 'cleo', args: ['mcp'], alwaysLoad: true } },
    })
    expect(parseToml(read('.codex/agents/cleo-subagent.toml'))).toMatchObject({
      name: 'cleo-subagent',
      developer_instructions: expect.stringContaining('You carry out one task for CLEO.'),
    })
    expect(parseToml(read('.codex/config.toml'))).toMatchObject({
      mcp_servers: { cleo: { command: 'cleo', env_vars: expect.arrayContaining(['XDG_STATE_HOME']) } },
      sandbox_workspace_write: { writable_roots: expect.arrayContaining(['../.cleo']) },
    })
    expect(Object.keys(JSON.parse(read('.gemini/settings.json')).hooks)).toEqual([
      'SessionStart',
      'BeforeTool',
      'AfterAgent',
    ])
    expect(JSON.parse(read('.gemini/settings.json'))).toMatchObject({
      policyPaths: ['.gemini/policies/cleo.toml', '~/.gemini/policies'],
      context: { fileFiltering: { customIgnoreFilePaths: ['.gemini/cleo.ignore'] } },
    })
    expect(parseToml(read('.gemini/policies/cleo.toml'))).toMatchObject({
      rule: [{ commandPrefix: 'cleo' }, { mcpName: 'cleo' }],
    })
    expect(read('.gemini/cleo.ignore')).toContain('\n!/.cleo/spawns/\n!/.cleo/spawns/**\n')
    expect(JSON.parse(read('.qwen/settings.json')).mcpServers.cleo).toMatchObject({ alwaysLoadTools: true })
    expect(read('.opencode/agents/cleo-subagent.md')).toContain('\nmode: subagent\n')
    expect(JSON.parse(read('opencode.json'))).toEqual({
      mcp: { cleo: { type: 'local', command: ['cleo', 'mcp'], enabled: true } },
    })
    expect(JSON.parse(read('.github/hooks/cleo.json'))).toMatchObject({
      version: 1,
      hooks: { preToolUse: [{}] },
    })
    expect((await must('agents.validate', {})).findings).toEqual([])
  }))

test('[PROV-2] the folders that the sandbox of Codex must find are made, named with ~, and taken back if empty', () =>
  withProject(async ({ root, must }) => {
    const made = ['worktrees', 'refs/heads/cleo', 'logs/refs/heads/cleo'].map((name) =>
      join(root, '.git', name),
    )
    const ports = join(root, '.home/.local/state/cleo/ports')
    git(root, 'init', '-q', '-b', 'main')
    await must('admin.setup', { client: 'codex', yes: true })
    for (const folder of [...made, ports]) expect(existsSync(folder), folder).toBe(true)
    const roots = parseToml(readFileSync(join(root, '.codex/config.toml'), 'utf8'))['sandbox_workspace_write']
    expect(roots).toMatchObject({
      writable_roots: expect.arrayContaining(['~/.local/state/cleo/ports', '../.git/worktrees']),
    })
    rmdirSync(made[0]!)
    await must('admin.setup', { client: 'codex', yes: true })
    expect(existsSync(made[0]!)).toBe(true)
    writeFileSync(join(made[1]!, 'T001'), '')
    await must('admin.setup', { client: 'codex', undo: true, yes: true })
    expect(made.map((folder) => existsSync(folder))).toEqual([false, true, false])
  }))

test('[PROV-2] a branch named cleo does not stop the set-up of Codex', () =>
  withProject(async ({ root, must }) => {
    git(root, 'init', '-q', '-b', 'cleo')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    expect(await must('admin.setup', { client: 'codex', yes: true })).toMatchObject({ applied: true })
    expect(existsSync(join(root, '.git/worktrees'))).toBe(true)
  }))

test('[PROV-2] an agent may not run set-up, and without a terminal the refusal has the line to run', () =>
  withProject(async ({ call, as, root }) => {
    expect(await call('admin.setup', { client: 'codex', undo: true })).toMatchObject({
      value: { noChange: true },
    })
    expect(await call('admin.setup', { client: 'codex' })).toMatchObject({
      code: 'client.unconfirmed',
      exit: 2,
      fix: 'cleo setup codex --yes',
    })
    expect(await as('T001.1').call('admin.setup', { client: 'codex', yes: true })).toMatchObject({ exit: 64 })
    expect(await call('admin.setup', {})).toMatchObject({ code: 'client.none', exit: 70 })
    expect(await call('admin.setup', { client: 'codex', undo: true, check: true })).toMatchObject({ exit: 6 })
    expect(Object.keys(filesOf(root))).toEqual([])
  }))

test('[PROV-2] --user writes to the home folder only, with the fallback protocol, and takes it back', () =>
  withProject(async ({ root, must }) => {
    const home = join(root, '.home')
    mkdirSync(home, { recursive: true })
    for (const client of clientNames) await must('admin.setup', { client, user: true, yes: true })
    expect(filesOf(root)).toEqual({})
    const written = filesOf(home)
    for (const client of clientNames)
      expect(await must('admin.setup', { client, user: true, yes: true }), client).toMatchObject({
        noChange: true,
      })
    expect(filesOf(home)).toEqual(written)
    expect(readFileSync(join(home, '.cleo/templates/CLEO-INJECTION.md'), 'utf8')).toContain('BASE-001')
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toMatchObject({
      mcpServers: { cleo: {} },
    })
    await must('admin.setup', { undo: true, user: true, yes: true })
    for (const folder of ['.claude', '.codex', '.gemini', '.config', '.copilot', '.qwen', '.cursor'])
      expect(existsSync(join(home, folder)), folder).toBe(false)
  }))
