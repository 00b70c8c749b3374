import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { plantFindings } from '../support/findings.ts'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { type TestProject, withProject } from '../support/project.ts'

const spawned = async (project: TestProject, input: object = {}) => {
  const answer = await project.must('orchestrate.spawn', { id: 'T004', here: true, ...input })
  if (!('taskId' in answer)) throw new Error('a pointer, where everything was asked for')
  return answer
}

const write = (project: TestProject, path: string, text: string): void => {
  const target = join(project.root, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

const configure = (project: TestProject, config: object): void =>
  write(project, '.cleo/config.json', JSON.stringify(config))

const skill = (name: string, body: string, metadata = ''): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\nmetadata:\n  version: "2.1.0"\n${metadata}---\n\n${body}\n`

const template = '  cleo-template: "true"\n'

/** Makes a new project for each configuration, because CLEO reads the configuration when it opens the project. */
const withOrdinary = (work: (project: TestProject) => Promise<void>): Promise<void> =>
  withProject(async (project) => {
    await plantOrdinary(project)
    await work(project)
  })

test('[TOK-6] [SKILL-8] an untrusted skill is in a fence, as data, and is not scanned for tokens', () =>
  withOrdinary(async (project) => {
    write(
      project,
      'skills/mine/SKILL.md',
      skill('mine', '## Output Requirements\n\n{{NOBODY}} @secret.md', template),
    )
    const { prompt, warnings, tokenResolution } = await spawned(project, { skills: ['mine'] })
    expect(warnings.join()).toContain('skill mine (skills/mine) is not trusted')
    expect(prompt).toMatch(
      /from="mine\/SKILL.md">\n\n##### Output Requirements\n\n\{\{NOBODY\}\} @secret.md\n\n<\/data-/,
    )
    expect(tokenResolution.fullyResolved).toBe(true)
  }))

test('[TOK-6] [TOK-9] a trusted template has its tokens resolved; text that came in through them is not scanned again', () =>
  withOrdinary(async (project) => {
    write(project, 'docs/spec.md', 'No token: {{TASK_ID}} @docs/other.md\n')
    write(project, 'docs/other.md', 'other')
    write(
      project,
      'skills/mine/SKILL.md',
      skill('mine', 'For {{TASK_ID}} in ${SKILL_ROOT}: {{TASK_TITLE}}\n\n@docs/spec.md', template),
    )
    await project.must('admin.trust', { yes: true })
    const { prompt, warnings, tokenResolution } = await spawned(project, { skills: ['mine'] })
    expect(warnings).toEqual([])
    expect(prompt).toContain(`For T004 in ${project.root}/skills/mine: <data-`)
    expect(prompt).toMatch(/from="docs\/spec.md">No token: \{\{TASK_ID\}\} @docs\/other.md<\/data-/)
    expect(tokenResolution).toMatchObject({ fullyResolved: true, files: [{ path: 'docs/spec.md' }] })
    write(project, 'skills/mine/SKILL.md', skill('mine', 'Changed since.', template))
    expect((await spawned(project, { skills: ['mine'] })).warnings.join()).toContain('is not trusted')
  }))

test('[TOK-10] [SPAWN-2] unresolvable tokens are refused with 63, all at once, or left as they are on request', () =>
  withOrdinary(async (project) => {
    symlinkSync('/etc/passwd', join(project.root, 'link.md'))
    write(
      project,
      'skills/mine/SKILL.md',
      skill('mine', '{{NOBODY}} and ${NOTHING}\n\n@docs/gone.md\n\n@link.md\n\n!`date`', template),
    )
    await project.must('admin.trust', { yes: true })
    const refused = await project.call('orchestrate.spawn', { id: 'T004', skills: ['mine'] })
    expect(refused).toMatchObject({ code: 'tokens.unresolved', exit: 63 })
    const told = !refused.ok && refused.problems?.map(({ message }) => message).join('\n')
    for (const token of ['{{NOBODY}}', '${NOTHING}', '!`date`']) expect(told).toContain(token)
    const left = await spawned(project, { skills: ['mine'], allowUnresolved: true })
    expect(left.warnings).toHaveLength(5)
    expect(left.prompt).toContain('{{NOBODY}}')
    expect(left.tokenResolution).toMatchObject({ fullyResolved: false, unresolved: { length: 5 } })
  }))

test('[TOK-3] the environment overrides --set, which overrides CLEO; only allowed names are read', () =>
  withProject(async (project) => {
    configure(project, { tokens: { env: ['BUILD_ID'] } })
    await plantOrdinary(project)
    const body = '[${BUILD_ID}] [${SPECS_DIR}] [{{TOPIC_SLUG}}] [\\${HOME}]'
    write(project, 'skills/mine/SKILL.md', skill('mine', body, template))
    await project.must('admin.trust', { yes: true })
    const line = async (input: object) => {
      const { prompt } = await spawned(project, { skills: ['mine'], allowUnresolved: true, ...input })
      return prompt.split('\n').find((line) => line.startsWith('['))
    }
    expect(await line({})).toBe('[${BUILD_ID}] [docs/specs/] [sign-up-form] [${HOME}]')
    const set = ['BUILD_ID=7', 'SPECS_DIR=specs/', 'TOPIC_SLUG=x']
    expect(await line({ set })).toBe('[7] [specs/] [x] [${HOME}]')
    expect(await line({ set: ['TOPIC=Two Words'] })).toBe('[${BUILD_ID}] [docs/specs/] [two-words] [${HOME}]')
    expect(
      (
        await spawned(project, { set: ['TOPIC=Two Words'], skills: ['mine'], allowUnresolved: true })
      ).warnings.join(),
    ).not.toContain('TOPIC')
    expect((await spawned(project, { set: ['REGIN=eu'] })).warnings.join()).toContain(
      '--set REGIN has no effect: no text uses it',
    )
    for (const set of ['TASK_ID=T001', 'OUTPUT_DIR=/tmp', 'nonsense', 'lower=1', 'TOPIC=a\n## b'])
      expect(await project.call('orchestrate.spawn', { id: 'T004', set: [set] })).toMatchObject({
        code: 'input.invalid',
        exit: 6,
      })
  }))

test('[SPAWN-6] a skill named by --skills must exist; the refusal names a similar one', () =>
  withOrdinary(async (project) => {
    const refused = await project.call('orchestrate.spawn', { id: 'T004', skills: ['ct-relase'] })
    expect(refused).toMatchObject({ code: 'skill.missing', exit: 6 })
    expect(!refused.ok && refused.message).toContain('ct-release')
  }))

test('[SKILL-5] [BUDG-5] --explain names the rule that chose the strategy and the budget of every part', () =>
  withOrdinary(async (project) => {
    const row = async (input: object) => {
      const { explain } = await spawned(project, { explain: true, ...input })
      return explain?.find(({ part }) => part.startsWith('skill'))?.how
    }
    expect(await row({})).toBe('standard: default')
    expect(await row({ contextUsed: 80 })).toContain('minimal: more than 70 % of the context used')
    expect(await row({ strategy: 'comprehensive' })).toBe('comprehensive: requested')
    await project.must('tasks.update', { id: 'T004', size: 'large' })
    expect(await row({})).toBe('comprehensive: size large')
    const { explain, tokens } = await spawned(project, { explain: true, exact: true })
    expect(explain?.at(-2)).toMatchObject({ part: 'prompt', tokens, of: 70_000, how: 'counted exactly' })
  }))

test('[BUDG-4] findings of dependencies are cut first, oldest first; description and criteria stay; the prompt names the cut', () =>
  withProject(async (project) => {
    configure(project, { budget: { task: 600 } })
    await plantOrdinary(project)
    await plantFindings(project, ['One of the measurements that led to this choice. '.repeat(40)])
    const { prompt, budget } = await spawned(project)
    expect(prompt).not.toContain('argon2id')
    expect(prompt).toContain('The queue takes any template.')
    expect(prompt).toContain('Cut for the context budget: what T002 found.')
    expect(prompt).toContain('a taken address stores nothing')
    expect(budget.find(({ part }) => part === 'task context')?.cut).toBe('findings of T002')
  }))

test('[BUDG-1] [BUDG-4] a prompt above 70 % of the total is refused with 10 and the size of every part', () =>
  withProject(async (project) => {
    configure(project, { budget: { total: 2000 } })
    await plantOrdinary(project)
    const refused = await project.call('orchestrate.spawn', { id: 'T004' })
    expect(refused).toMatchObject({ code: 'budget.exceeded', exit: 10 })
    expect(!refused.ok && refused.problems?.map(({ path }) => path)).toEqual([
      'opening',
      'task context',
      'protocol',
      'skill ct-task-executor',
      'output',
    ])
    expect(await project.call('orchestrate.spawn', { id: 'T004', tier: 0 })).toMatchObject({ ok: true })
  }))

test('[BUDG-3] a skill that is too long loses sections, and the prompt names them', () =>
  withProject(async (project) => {
    configure(project, { budget: { skills: 1500 } })
    await plantOrdinary(project)
    const long = 'A sentence that takes some room in the prompt of whoever reads it.\n'.repeat(80)
    write(
      project,
      'skills/long/SKILL.md',
      skill(
        'long',
        `## Summary\n\nShort.\n\n## Core Rules\n\n- One rule.\n\n## Details\n\n${long}\n## Appendix\n\n${long}`,
      ),
    )
    await project.must('admin.trust', { yes: true })
    const { prompt, skills, budget } = await spawned(project, { skills: ['long'], strategy: 'standard' })
    expect(prompt).toContain('- One rule.')
    expect(prompt).toContain('Cut for the context budget:')
    expect(skills[0]!.tokens).toBeLessThanOrEqual(1500)
    expect(budget.find(({ part }) => part === 'skill long')?.cut).toMatch(/./)
  }))

test('[SPAWN-3] [PROT-2] gates, commands and stages follow the configuration', () =>
  withProject(async (project) => {
    configure(project, {
      gates: { required: { implementation: ['testsPassed', 'cleanupDone'] } },
      commands: { test: ['./run tests', '--all'] },
      stages: false,
    })
    await plantOrdinary(project)
    const before = await spawned(project)
    expect(before.prompt).not.toContain('run tests')
    expect(before.warnings.join()).toContain('the command for test is not trusted')
    await project.must('admin.trust', { yes: true })
    const { prompt } = await spawned(project)
    expect(prompt).toMatch(/^Before: +cleo verify T004 --gate cleanupDone/m)
    expect(prompt).not.toContain('--gate implemented')
    expect(prompt).toContain("test: './run tests' --all")
    expect(prompt).not.toContain('### Stage-Specific Guidance')
  }))

test('[PROT-2] the stage of a task decides guidance, gates and return word', () =>
  withOrdinary(async (project) => {
    await project.must('tasks.update', { id: 'T004', stage: 'testing' })
    const { prompt, skills } = await spawned(project)
    expect(skills).toMatchObject([{ name: 'ct-test-runner' }])
    expect(prompt).toContain('Testing complete. See MANIFEST.jsonl for summary.')
    expect(prompt).toContain('--gate documented')
    expect(prompt).not.toContain('--gate implemented')
  }))

test('[PROT-1] a project’s own protocol replaces the shipped one once it is trusted', () =>
  withOrdinary(async (project) => {
    write(
      project,
      'protocols/implementation.md',
      '---\ncleo-template: true\n---\n### Our way\n\nAsk Grace about {{TASK_ID}}.\n',
    )
    const before = await spawned(project)
    expect(before.prompt).toContain('IMPL-001')
    expect(before.warnings.join()).toContain('protocols/implementation.md is not trusted')
    await project.must('admin.trust', { yes: true })
    const { prompt, warnings } = await spawned(project)
    expect(warnings).toEqual(['T004.1 was not started and is superseded'])
    expect(prompt).toContain('Ask Grace about T004.')
    expect(prompt).not.toContain('IMPL-001')
    expect(prompt).toContain('BASE-001')
  }))

test('[SKILL-11] a cached count that was changed is ignored', () =>
  withOrdinary(async (project) => {
    const first = await spawned(project, { exact: true })
    const folder = join(project.root, '.cleo/cache/fits')
    const { readdirSync } = await import('node:fs')
    const [name] = readdirSync(folder)
    const kept = readFileSync(join(folder, name!), 'utf8')
    for (const spoiled of [kept.replace('Sign-up', 'Sign-in'), kept.slice(0, -20), '']) {
      writeFileSync(join(folder, name!), spoiled)
      expect(await spawned(project, { exact: true })).toEqual({ ...first, noChange: true })
    }
    const warm = await project.must('orchestrate.warm', { epic: 'T001', exact: true })
    expect(warm).toMatchObject({ tasks: 1, skills: [{ name: 'ct-task-executor', tasks: 1 }] })
    expect(await spawned(project, { exact: true })).toEqual({ ...first, noChange: true })
  }))
