import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../src/store/sqlite/file-lock.ts'
import { executable, run, start } from '../support/cleo.ts'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { type TestProject, withProject } from '../support/project.ts'
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

/** The configuration is read when the project is opened. */
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
      ...detected.map((item) => `${item} new`),
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
      await new Promise((resolve) => setTimeout(resolve, 100))
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
