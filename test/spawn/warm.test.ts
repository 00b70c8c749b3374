import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { put } from '../skills/skill-files.ts'
import { configure } from '../support/configure.ts'
import { pathsRead } from '../support/counted-calls.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'

/**
 * Adds the epic T001 with three tasks. T002 gets a skill of the project, T003 is research, and T004 is
 * implementation.
 */
const plant = async ({ root, must }: TestProject): Promise<void> => {
  // A dry run does not create the secret that fences are derived from, so create it here.
  put(root, '.cleo/secret', 'a secret that stays the same\n')
  put(root, 'skills/deploy/SKILL.md', deploySkill('Ship it.'))
  await must('admin.trust', { yes: true })
  await must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
  const parent = 'T001'
  await must('tasks.add', { title: 'Roll out the form', parent, description: 'Ship the form.' })
  await must('tasks.add', { title: 'Compare password hashing', parent, description: 'Which one?' })
  await must('tasks.add', { title: 'Sign-up form', parent, description: 'Build it.', files: ['src/a.ts'] })
}

const deploySkill = (body: string) =>
  `---\nname: deploy\ndescription: Ships.\nmetadata:\n  dispatch_triggers: "roll out"\n---\n\n${body}\n`

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], { cwd })

const tasks = ['T002', 'T003', 'T004'] as const

/** Returns the prompts that a spawn would make now. A dry run records nothing and fills no cache. */
const prompts = async (project: TestProject): Promise<string[]> => {
  const made: string[] = []
  for (const id of tasks) {
    const answer = await project.call('orchestrate.spawn', { id, exact: true }, { dryRun: true })
    if (!answer.ok || !('hash' in answer.value && 'prompt' in answer.value))
      throw new Error(`no prompt for ${id}`)
    made.push(`${answer.value.hash}\n${answer.value.prompt}`)
  }
  return made
}

const cached = ({ root }: TestProject): string[] =>
  readdirSync(join(root, '.cleo/cache'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, '.cleo/cache', name))
    .filter((path) => statSync(path).isFile())
    .sort()

const counted = (project: TestProject) => cached(project).filter((path) => path.includes('/fits/'))

onSqlite((withProject) => {
  test('[SKILL-11] warm prepares every open task of an epic and counts the skills they use', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.cancel', { id: 'T004', reason: 'later' })
      expect(await project.must('orchestrate.warm', { epic: 'T001' })).toMatchObject({
        epic: 'T001',
        tasks: 2,
        skills: [
          { name: 'ct-research-agent', tasks: 1 },
          { name: 'deploy', tasks: 1 },
        ],
      })
      expect((await project.must('orchestrate.spawn.list', {})).spawns, 'nothing is spawned').toEqual([])
      const of = (epic: string) => project.call('orchestrate.warm', { epic })
      expect(await of('T002')).toMatchObject({ code: 'epic.expected', exit: 6 })
      expect(await of('T099')).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))
})

test('[SKILL-11] after warm the spawns of an epic add nothing to the cache', () =>
  withProject(async (project) => {
    await plant(project)
    // In a new project, the first command that needs the secret creates it.
    rmSync(join(project.root, '.cleo/secret'))
    await project.must('orchestrate.warm', { epic: 'T001', exact: true })
    const warmed = counted(project)
    expect(warmed).toHaveLength(3)
    for (const id of tasks) await project.must('orchestrate.spawn', { id, exact: true })
    expect(counted(project)).toEqual(warmed)
  }))

test('[SKILL-11] nor do spawns in worktrees, whose prompts name their own ports', () =>
  withProject(async (project) => {
    await plant(project)
    const { root } = project
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'first')
    await project.must('orchestrate.warm', { epic: 'T001', exact: true })
    const warmed = counted(project)
    const prompts: string[] = []
    for (const id of tasks) {
      const answer = await project.must('orchestrate.spawn', { id, exact: true })
      if (!('taskId' in answer)) throw new Error('a pointer')
      prompts.push(answer.prompt)
    }
    expect(counted(project)).toEqual(warmed)
    const numbers = prompts.map((prompt) => /CLEO_SLOT=(\d+) CLEO_PORT_BASE=(\d+)/.exec(prompt)?.slice(1))
    expect([numbers[0]?.[0], numbers[1], numbers[2]?.[0]]).toEqual(['1', undefined, '2'])
    expect(new Set(numbers.map((each) => each?.[1])).size, 'own ports').toBe(3)
    expect(numbers.flat()).not.toContain('10000')
  }))

test('[SKILL-11] after warm on a cold project the next spawn reads no SKILL.md but its own', () =>
  withProject(async (project) => {
    await plant(project)
    for (let i = 0; i < 20; i++)
      put(project.root, `skills/s${i}/SKILL.md`, deploySkill('x').replace('deploy', `s${i}`))
    rmSync(join(project.root, '.cleo/secret'))
    rmSync(join(project.root, '.cleo/cache'), { recursive: true, force: true })
    // Leave out files opened by their full path. They are only hashed, as evidence about the work folder or for trust.
    const read = async (work: () => Promise<unknown>) =>
      (await pathsRead(work)).filter((path) => path.endsWith('/SKILL.md') && !path.startsWith(project.root))
    expect((await read(() => project.must('orchestrate.warm', { epic: 'T001' }))).length).toBeGreaterThan(20)
    // The cache gets a time far in the future, because CLEO uses it only for files that are older.
    utimesSync(join(project.root, '.cleo/cache/skills.json'), 4_000_000_000, 4_000_000_000)
    expect(await read(() => project.must('orchestrate.spawn', { id: 'T004' }))).toEqual([])
    expect(await read(() => project.must('orchestrate.spawn', { id: 'T002' })), 'its text').toHaveLength(1)
  }))

test('[SKILL-11] [TOK-8] a dry run of warm and spawn leaves no cache and runs no command', () =>
  withProject(async (project) => {
    const { root } = project
    await plant(project)
    const template = 'metadata:\n  cleo-template: "true"\n'
    put(root, 'skills/deploy/SKILL.md', deploySkill('!`touch ran`').replace('metadata:\n', template))
    const { must, call } = await configure(project, { tokens: { commands: ['touch'] } })
    await must('admin.trust', { yes: true })
    rmSync(join(root, '.cleo/cache'), { recursive: true, force: true })
    expect(await call('orchestrate.warm', { epic: 'T001' }, { dryRun: true })).toMatchObject({ ok: true })
    const dry = await call('orchestrate.spawn', { id: 'T002' }, { dryRun: true })
    expect(dry.ok && 'prompt' in dry.value && dry.value.prompt).toContain(
      '(output of touch ran, which a dry run does not run)',
    )
    expect(readdirSync(root)).not.toContain('ran')
    expect(readdirSync(join(root, '.cleo'))).not.toContain('cache')
    await must('orchestrate.spawn', { id: 'T002' })
    expect(readdirSync(root)).toContain('ran')
  }))

test('[SKILL-11] a prompt has the same bytes with a cold, a warm and a corrupted cache', () =>
  withProject(async (project) => {
    await plant(project)
    const cold = await prompts(project)
    expect(new Set(cold).size).toBe(3)
    await project.must('orchestrate.warm', { epic: 'T001', exact: true })
    expect(counted(project)).toHaveLength(3)
    expect(await prompts(project), 'warm').toEqual(cold)

    const files = cached(project)
    const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))
    const corruptions: Record<string, (text: string) => string> = {
      empty: () => '',
      edited: (text) => text.replaceAll('Ship it.', 'Drop the database.').replaceAll('Build', 'Break'),
      torn: (text) => text.slice(0, text.length / 2),
      'without its signature': (text) => text.slice(text.indexOf('\n')),
      'of another task': (text) => [...texts.values()].find((other) => other !== text)!,
      binary: () => '\0\u{fffd}\0',
    }
    for (const [name, corrupt] of Object.entries(corruptions)) {
      for (const [path, text] of texts) writeFileSync(path, corrupt(text))
      expect(await prompts(project), `${name} cache`).toEqual(cold)
    }
    rmSync(join(project.root, '.cleo/cache'), { recursive: true })
    expect(await prompts(project), 'deleted').toEqual(cold)
    writeFileSync(join(project.root, '.cleo/cache'), 'a file where the folder should be')
    expect(await prompts(project), 'unusable').toEqual(cold)
  }))

test('[SKILL-11] the cache is addressed by content: a change is counted anew, and undoing it is not', () =>
  withProject(async (project) => {
    await plant(project)
    const warmed = async () => {
      await project.must('admin.trust', { yes: true })
      await project.must('orchestrate.warm', { epic: 'T001', exact: true })
      return counted(project)
    }
    const first = await warmed()
    const before = await prompts(project)
    put(project.root, 'skills/deploy/SKILL.md', deploySkill('Ship it twice.'))
    const second = await warmed()
    expect(second).toHaveLength(4)
    expect(second).toEqual(expect.arrayContaining(first))
    expect((await prompts(project))[0]).toContain('Ship it twice.')
    put(project.root, 'skills/deploy/SKILL.md', deploySkill('Ship it.'))
    expect(await warmed()).toEqual(second)
    expect(await prompts(project)).toEqual(before)
  }))
