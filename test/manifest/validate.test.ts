import { expect, test } from 'vitest'
import { outputs, put, withSpawnedTask } from '../support/manifest-project.ts'
import { withProject } from '../support/project.ts'

test('[MANI-5] the fields, the file and the links of every entry are checked', () =>
  withSpawnedTask(withProject, async (project) => {
    await project.as('T002.1').must('pipeline.manifest.append', { status: 'partial', followup: ['x'] })
    expect(await project.call('pipeline.manifest.validate', {})).toMatchObject({
      value: { checked: 1, findings: [] },
    })
    put(project, `${outputs}/T002-compare-hashing.md`, 'other words')
    expect(await project.must('pipeline.manifest.validate', { task: 'T002' })).toMatchObject({
      findings: [
        { level: 'warning', message: 'T002-compare-hashing.md has changed since the entry was stored' },
      ],
    })
    const db = await project.store()
    const bad = {
      id: 'T003-bad',
      status: 'maybe',
      file: 'T003-gone.md',
      title: 'x',
      date: 'x',
      agent_type: 'x',
      linked_tasks: ['T999'],
    }
    await db.run(
      "INSERT INTO entries (id, task, status, body, appended_at) VALUES ('T003-bad', 'T003', 'complete', ?, 0)",
      JSON.stringify(bad),
    )
    const answer = await project.call('pipeline.manifest.validate', {})
    expect(await project.call('pipeline.manifest.validate', { task: 'T099' })).toMatchObject({
      code: 'task.not_found',
    })
    expect(!answer.ok && answer.problems?.map(({ message }) => message)).toEqual([
      'warning: T002-compare-hashing.md has changed since the entry was stored',
      'status must be one of complete, partial, blocked, not "maybe"',
      'date must be a date such as 2026-01-31',
      'links to T999, which does not exist',
      'T003-gone.md does not exist',
    ])
  }))
