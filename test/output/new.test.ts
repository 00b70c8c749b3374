import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputs, withSpawnedTask } from '../support/manifest-project.ts'
import { onSqlite, withProject } from '../support/project.ts'
import { addTask, rulings, send } from '../support/subagent.ts'

onSqlite((withProject) => {
  test('[MANI-6] a file is created once, never overwritten, and only for the agent’s own task', () =>
    withSpawnedTask(withProject, async (project) => {
      const path = join(project.root, outputs, 'T003-form.md')
      expect(await project.call('output.new', { id: 'T003' }, { dryRun: true })).toMatchObject({
        value: { path },
      })
      expect(await project.must('output.new', { id: 'T003' })).toEqual({ path })
      expect(readFileSync(path, 'utf8')).toContain('**Task**: T003\n**Epic**: T001\n')
      writeFileSync(path, 'mine')
      expect(await project.must('output.new', { id: 'T003' })).toEqual({ path, noChange: true })
      expect(readFileSync(path, 'utf8')).toBe('mine')
      const agent = project.as('T002.1')
      expect(await agent.call('output.new', { id: 'T003' })).toMatchObject({ code: 'entry.foreign' })
      expect(await project.call('output.new', { id: 'T099' })).toMatchObject({ code: 'task.not_found' })
      const inside = await agent.must('output.new', { id: 'T002', category: 'research' })
      expect(inside.path).toBe(join(project.root, outputs, 'research', 'T002-compare-hashing.md'))
      const log = await project.must('admin.log', { operation: 'output.new' })
      expect(log.entries).toHaveLength(2)
    }))
})

test('[MANI-1] [OUT-2] the fix for a missing output file makes the file that the entry names', () =>
  withSpawnedTask(withProject, async (project) => {
    const agent = project.as('T002.1')
    for (const file of ['T002-other.md', 'research/T002-other.md', 'docs/specs/T002-a b.md']) {
      const finding = ['It is.', 'It was.', 'It will be.']
      const named = { status: 'complete' as const, finding, file }
      const refused = await agent.call('pipeline.manifest.append', named)
      expect(refused).toMatchObject({ code: 'output.absent' })
      const fix = !refused.ok && refused.fix
      expect(fix).toContain('cleo output new T002 --file ')
      const { path } = await agent.must('output.new', {
        id: 'T002',
        file: refused.ok ? '' : fileIn(refused.fix!),
      })
      expect(refused).toMatchObject({ message: expect.stringContaining(path) })
      // Now the file exists, and CLEO refuses the entry because the file is not filled in.
      expect(await agent.call('pipeline.manifest.append', named)).toMatchObject({
        code: 'output.unfilled',
        fix: expect.stringContaining(path),
      })
    }
  }))

const fileIn = (fix: string): string => / --file (?:'([^']*)'|(\S+))/.exec(fix)!.slice(1).find(Boolean)!

test.each([
  ['../T002-x.md', 'is not in'],
  ['/etc/T002-x.md', 'is not in'],
  ['.git/T002-x.md', 'is inside a .git folder'],
  ['MANIFEST.jsonl', 'is not'],
  ['T002-run.sh', 'is not named T002-<words>.md'],
  ['T003-x.md', 'is not named T002-<words>.md'],
])('[MANI-6] [PROJ-8] %s is not made as an output file', (file, why) =>
  withSpawnedTask(withProject, async (project) => {
    expect(await project.as('T002.1').call('output.new', { id: 'T002', file })).toMatchObject({
      code: 'output.invalid',
      message: expect.stringContaining(why),
    })
  }),
)

test('[MANI-6] no file is created through a symbolic link', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'One' })
    mkdirSync(join(project.root, 'other'))
    symlinkSync(join(project.root, 'other'), join(project.root, 'claudedocs'))
    expect(await project.call('output.new', { id: 'T001' })).toMatchObject({ code: 'output.invalid' })
  }))

test('[MANI-6] [PROT-1] the template of a specification passes the rules of its protocol', () =>
  withProject(async (project) => {
    const task = await addTask(project, { stage: 'specification' })
    const sent = await send(project, task)
    await sent.as.must('focus.set', { id: task })
    const { path } = await sent.as.must('output.new', { id: task })
    const text = readFileSync(path, 'utf8').replaceAll(/^## (.*)$/gm, '## $1\n\n- It MUST hold.\n')
    writeFileSync(path, text.replace('draft', 'accepted'))
    expect(await project.call('output.check', { target: task })).toMatchObject({ ok: true })
    await sent.as.must('pipeline.manifest.append', { status: 'complete', finding: ['It is specified.'] })
    const ruled = await rulings(project, task)
    for (const id of ['SPEC-001', 'SPEC-002', 'SPEC-003', 'SPEC-004', 'SPEC-005'])
      expect([id, ruled[id]?.[0]]).toEqual([id, 'pass'])
  }))
