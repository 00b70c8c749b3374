import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../src/store/sqlite/file-lock.ts'
import { executable, run, start } from '../support/cleo.ts'
import { configure } from '../support/configure.ts'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const write = ({ root }: TestProject, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const script = (project: TestProject, path: string, text: string): void => {
  write(project, path, `#!/bin/sh\n${text}\n`)
  chmodSync(join(project.root, path), 0o755)
}

const protocol = (body: string) => `---\ncleo-template: true\n---\n### Our way\n\n${body}\n`

/** Writes the configuration first, because CLEO reads it when it opens the project. */
const withCommands = (commands: string[], work: (project: TestProject) => Promise<void>): Promise<void> =>
  withProject(async (project) => {
    write(project, '.cleo/config.json', JSON.stringify({ tokens: { commands } }))
    await plantOrdinary(project)
    await work(project)
  })

const spawned = async (project: TestProject) => {
  const answer = await project.must('orchestrate.spawn', { id: 'T004', allowUnresolved: true })
  if (!('taskId' in answer)) throw new Error('expected the whole prompt, got a pointer')
  return answer
}

const items = async ({ must }: TestProject) =>
  (await must('admin.trust.status', {})).items.map(
    ({ kind, name, what, state }) => `${kind} ${name} (${what}) ${state}`,
  )

test('[TOK-9] trust lists what it would record, and records only with --yes', () =>
  withProject(async (project) => {
    write(project, 'protocols/implementation.md', protocol('Do it.'))
    const listed = await project.must('admin.trust', {})
    expect(listed).toMatchObject({
      recorded: false,
      items: [{ kind: 'template', name: 'protocols/implementation.md', state: 'new' }],
    })
    expect(await project.must('admin.trust', { yes: true })).toMatchObject({
      recorded: true,
      items: [{ kind: 'template', state: 'trusted' }],
    })
  }))

test('[TOK-9] a dry run records no trust', () =>
  withProject(async (project) => {
    write(project, 'protocols/implementation.md', protocol('Do it.'))
    const answer = await project.call('admin.trust', { yes: true }, { dryRun: true })
    expect(answer).toMatchObject({ ok: true, value: { recorded: false } })
    expect(await items(project)).toEqual([expect.stringMatching(/^template .* new$/)])
  }))

test('[TOK-9] an agent cannot record trust', () =>
  withProject(async (project) => {
    await plantOrdinary(project)
    write(project, 'protocols/implementation.md', protocol('Do it.'))
    const { spawnId } = await spawned(project)
    expect(await project.as(spawnId).call('admin.trust', { yes: true })).toMatchObject({
      ok: false,
      exit: 64,
    })
    expect(await items(project)).toContainEqual(expect.stringMatching(/^template .* new$/))
  }))

test('[TOK-6] [TOK-9] a file beside a trusted protocol is data: trust covers the protocol alone', () =>
  withCommands(['touch'], async (project) => {
    write(project, 'protocols/implementation.md', protocol('@extra.md and @protocols/extra.md'))
    write(project, 'protocols/extra.md', 'Harmless.')
    await project.must('admin.trust', { yes: true })
    write(project, 'protocols/extra.md', 'For {{TASK_ID}}: !`touch made`')
    const { prompt, warnings } = await spawned(project)
    expect(existsSync(join(project.root, 'made'))).toBe(false)
    expect(prompt).toMatch(/from="protocols\/extra.md">For \{\{TASK_ID\}\}: !`touch made`<\/data-/)
    expect(warnings.join()).toContain('extra.md does not exist')
  }))

test('[TOK-8] [TOK-9] a token command is trusted by its name and the file it names', () =>
  withCommands(['./gen.sh', 'echo', 'echo'], async (project) => {
    script(project, 'gen.sh', 'echo first')
    write(project, 'protocols/implementation.md', protocol('!`./gen.sh`\n\n!`echo by word`'))
    const template = 'template protocols/implementation.md (70 bytes)'
    const detected = [
      'command detected test (npm test → test: vitest run)',
      'command detected lint (npm run lint → lint: biome check)',
    ]
    expect(await items(project)).toEqual([
      'command token ./gen.sh (./gen.sh) new',
      'command token echo (echo) new',
      ...detected.map((item) => `${item} allowed`),
      `${template} new`,
    ])
    await project.must('admin.trust', { yes: true })
    const trusted = await spawned(project)
    expect(trusted.prompt).toMatch(/>first<\/data-/)
    expect(trusted.prompt).toMatch(/>by word<\/data-/)

    script(project, 'gen.sh', 'touch made')
    expect(await items(project)).toEqual([
      'command token ./gen.sh (./gen.sh) changed',
      'command token echo (echo) trusted',
      ...detected.map((item) => `${item} trusted`),
      `${template} trusted`,
    ])
    const changed = await spawned(project)
    expect(existsSync(join(project.root, 'made'))).toBe(false)
    expect(changed.warnings.join()).toContain('./gen.sh has changed since it was trusted; see: cleo trust')
    expect(changed.prompt).toMatch(/>by word<\/data-/)
  }))

test('[TOK-9] trust recorded by another process at the same time is kept', () =>
  withProject(async (project) => {
    write(project, 'protocols/implementation.md', protocol('Do it.'))
    await project.must('admin.trust', { yes: true })
    await project.must('admin.untrust', {})
    const records = join(project.root, '.home', '.cleo', 'trust.json')
    let recording: Promise<unknown> | undefined
    await withFileLock(join(project.root, '.home', '.cleo', 'trust.lock'), async () => {
      const before = JSON.parse(readFileSync(records, 'utf8')) as object
      recording = project.must('admin.trust', { yes: true })
      // Without the lock, `trust` would be done within this second.
      await Promise.race([recording, new Promise((resolve) => setTimeout(resolve, 1000))])
      writeFileSync(records, JSON.stringify({ ...before, '/other': { 'hook:task.done 1': 'abc' } }))
    })
    await recording
    expect(JSON.parse(readFileSync(records, 'utf8')), 'both records are there').toMatchObject({
      '/other': { 'hook:task.done 1': 'abc' },
      [project.root]: { 'template:protocols/implementation.md': expect.any(String) },
    })
  }))

test('[TOK-9] every acknowledged trust command of many projects is recorded', () =>
  withTemp(async (folder) => {
    const env = { HOME: join(folder, 'home') }
    const projects = Array.from({ length: 16 }, (_, n) => join(folder, `project-${n}`))
    for (const cwd of projects) {
      mkdirSync(join(cwd, 'protocols'), { recursive: true })
      writeFileSync(join(cwd, 'protocols', 'implementation.md'), protocol('Do it.'))
      run(executable, ['init'], { cwd, env })
    }
    const all = (args: string[], some = projects) =>
      Promise.all(some.map((cwd) => start(executable, [...args, '--json'], { cwd, env })))
    expect((await all(['trust', '--yes'])).map(({ exit }) => exit)).toEqual(projects.map(() => 0))
    await Promise.all([all(['untrust'], projects.slice(0, 8)), all(['trust', '--yes'], projects.slice(8))])
    const states = (await all(['trust', 'status', '--field', 'items.0.state'])).map(({ stdout }) =>
      stdout.trim(),
    )
    expect(states).toEqual(projects.map((_, n) => (n < 8 ? 'new' : 'trusted')))
  }))

test('[TOK-9] a skill is shown with the name it acts under and what it replaces', () =>
  withProject(async (project) => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\n\nDo it.\n`
    write(project, 'skills/hijack/SKILL.md', skill('ct-task-executor'))
    write(project, 'skills/plain/SKILL.md', skill('plain'))
    write(project, '.claude/skills/plain/SKILL.md', skill('plain'))
    write(project, '.home/.claude/skills/notes/SKILL.md', skill('notes'))
    write(project, '.agents/skills/notes/SKILL.md', skill('notes'))
    write(project, '.agents/skills/broken/SKILL.md', 'no front matter')
    const shown = (await project.must('admin.trust', {})).items.map(({ name, what }) => `${name}: ${what}`)
    expect(shown).toEqual([
      'skills/hijack: acts as ct-task-executor; replaces the shipped ct-task-executor; 1 file, 61 bytes',
      'skills/plain: replaces .claude/skills/plain; 1 file, 50 bytes',
      '.claude/skills/plain: used only if skills/plain is not; 1 file, 50 bytes',
      '.agents/skills/broken: 1 file, 15 bytes',
      '.agents/skills/notes: replaces ~/.claude/skills/notes; 1 file, 50 bytes',
    ])
  }))

test('[TOK-3] [TOK-9] a name added to tokens.env after trust is shown as a change and not read', () =>
  withProject(async (project) => {
    write(project, '.cleo/config.json', JSON.stringify({ tokens: { env: ['BUILD_ID'] } }))
    await plantOrdinary(project)
    write(project, 'protocols/implementation.md', protocol('Build ${BUILD_ID} in ${REGION}'))
    await project.must('admin.trust', { yes: true })
    const env = { BUILD_ID: 'b7', REGION: 'eu' }
    expect((await spawned(project.afresh(env))).prompt).toContain('Build b7 in ${REGION}')
    write(project, '.cleo/config.json', JSON.stringify({ tokens: { env: ['BUILD_ID', 'REGION'] } }))
    const changed = project.afresh(env)
    expect(await items(changed)).toContain('setting tokens.env (BUILD_ID, REGION) changed')
    const { prompt } = await spawned(changed)
    expect(prompt).toContain('Build ${BUILD_ID} in ${REGION}')
    expect(await changed.call('tasks.list', {})).toMatchObject({
      warnings: ['settings have no effect until a person trusts them: tokens.env (changed); see: cleo trust'],
    })
    await changed.must('admin.trust', { yes: true })
    expect((await spawned(changed)).prompt).toContain('Build b7 in eu')
  }))

const secrets = [
  ...[
    'CLEO_DATABASE_URL',
    'DATABASE_URL',
    'PGPASSWORD',
    'PGPASSFILE',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
  ],
  ...[
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'OPENAI_API_KEY',
    'DB_PASSWD',
    'MY_CREDENTIALS',
    'SSH_PRIVATE',
    'SENTRY_DSN',
  ],
]

test('[TOK-3] a variable that holds a secret by its name is never read, even when trusted', () =>
  withProject(async (begun) => {
    await plantOrdinary(begun)
    write(begun, 'protocols/implementation.md', protocol(secrets.map((name) => `\${${name}}`).join(' ')))
    await begun.must('admin.trust', { yes: true })
    const fresh = await configure(begun, { tokens: { env: [...secrets, 'MAX_TOKENS', 'KEYBOARD'] } })
    const leak = Object.fromEntries(secrets.map((name) => [name, 'hunter2']))
    const project = fresh.afresh({ ...leak, CLEO_DATABASE_URL: '' })
    const { prompt, warnings } = await spawned(project)
    expect(prompt).not.toContain('hunter2')
    for (const name of secrets)
      expect(warnings).toContain(
        `tokens.env lists ${name}, which holds a secret by its name and is never read`,
      )
    expect(warnings.join()).not.toMatch(/MAX_TOKENS|KEYBOARD/)
    expect((await items(project))[0]).toContain('PGPASSWORD (a secret, never read)')
  }))

onEveryStore((withProject) => {
  test('[PROJ-7] trust and untrust are in the audit log, with who did it and what changed', () =>
    withProject(async (project) => {
      write(project, 'protocols/implementation.md', protocol('Do it.'))
      await project.must('admin.trust', {})
      await project.call('admin.trust', { yes: true }, { dryRun: true })
      await project.must('admin.trust', { yes: true })
      await project.must('admin.trust', { yes: true })
      await project.must('admin.untrust', {})
      const trusted = ['template:protocols/implementation.md']
      const { entries } = await project.must('admin.log', {})
      expect(
        entries.map(({ operation, actor, before, after }) => ({ operation, actor, before, after })),
      ).toEqual([
        { operation: 'admin.untrust', actor: 'ada', before: { trusted }, after: undefined },
        { operation: 'admin.trust', actor: 'ada', before: undefined, after: { trusted } },
      ])
    }))
})

test('[PROJ-8] damaged trust records withdraw trust, and commands still run', () =>
  withProject(async (begun) => {
    const project = await configure(begun, { gates: { reports: true }, spawn: { maxFiles: 9 } })
    expect(await project.call('tasks.list', {})).not.toHaveProperty('warnings')
    writeFileSync(join(project.root, '.home', '.cleo', 'trust.json'), 'not a record')
    const answer = await project.call('tasks.list', {})
    expect(answer).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/trusts them: gates.reports \(Cannot read .*trust\.json/)],
    })
  }))
