import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../support/project.ts'

const findings = ['One.', 'Two.', 'Three.']

/** Makes a research task that is out and started. Returns its output file. */
const started = async (project: TestProject): Promise<{ agent: TestProject; output: string }> => {
  await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
  await project.must('tasks.add', { title: 'Specify hashing', parent: 'T001', description: 'Which?' })
  await project.must('orchestrate.spawn', { id: 'T002', ref: true, protocol: 'research' })
  const agent = project.as('T002.1')
  const { output } = await agent.must('focus.set', { id: 'T002' })
  writeFileSync(output!, `${readFileSync(output!, 'utf8')}\n- RFC 9106\n`)
  return { agent, output: output! }
}

test('[GATE-1] finish --summary fills in an empty Summary, and the refusal says so', () =>
  withProject(async (project) => {
    const { agent, output } = await started(project)
    const refused = await agent.call('tasks.finish', { id: 'T002', finding: findings })
    expect(refused).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([
        expect.objectContaining({
          path: 'output file',
          fix: 'cleo finish T002 --as T002.1 --finding One. --finding Two. --finding Three. --summary "<what was done>"',
        }),
      ]),
    })
    const dry = await agent.call('tasks.finish', { id: 'T002', summary: 'Argon2id.' }, { dryRun: true })
    expect(dry.ok).toBe(false)
    await agent.must('tasks.finish', { id: 'T002', finding: findings, summary: 'Argon2id.' })
    expect(readFileSync(output, 'utf8')).toMatch(/## Summary\n\nArgon2id\.\n+## Content/)
  }))

test('[GATE-1] a Summary that someone wrote stays, with a warning', () =>
  withProject(async (project) => {
    const { agent, output } = await started(project)
    const own = readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nMine.\n')
    writeFileSync(output, own)
    const answer = await agent.call('tasks.finish', { id: 'T002', finding: findings, summary: 'Other.' })
    expect(answer.warnings).toContain(`--summary was not written: ${output} already has a Summary`)
    expect(readFileSync(output, 'utf8')).not.toContain('Other.')
  }))

test('[GATE-1] a task that was never spawned has no output file for a summary', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
    await project.must('tasks.add', { title: 'Form', parent: 'T001' })
    const answer = await project.call('tasks.finish', { id: 'T002', summary: 'Done.' })
    expect(answer.warnings).toEqual([
      '--summary was not written: T002 was never spawned, so it has no output file',
    ])
  }))
