import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { type TestProject, withProject } from '../support/project.ts'

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
  if (!('taskId' in answer)) throw new Error('a pointer, where everything was asked for')
  return answer
}

const items = async ({ must }: TestProject) =>
  (await must('admin.trust.status', {})).items.map(
    ({ kind, name, what, state }) => `${kind} ${name} (${what}) ${state}`,
  )

test('[TOK-6] [TOK-9] what lies beside a trusted protocol is data: the yes was to the protocol alone', () =>
  withCommands(['touch'], async (project) => {
    write(project, 'protocols/implementation.md', protocol('@extra.md and @protocols/extra.md'))
    write(project, 'protocols/extra.md', 'Harmless.')
    await project.must('admin.trust', { yes: true })
    write(project, 'protocols/extra.md', 'For {{TASK_ID}}: !`touch made`')
    const { prompt, warnings } = await spawned(project)
    expect(existsSync(join(project.root, 'made'))).toBe(false)
    expect(prompt).toMatch(/from="protocols\/extra.md">For \{\{TASK_ID\}\}: !`touch made`<\/data-/)
    expect(warnings.join()).toContain('extra.md is not there')
  }))

test('[TOK-8] [TOK-9] a program that templates may run is trusted by its word and the file it names', () =>
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
