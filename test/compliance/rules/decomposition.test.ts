import { expect, test } from 'vitest'
import { onSqlite, type TestProject, withProject } from '../../support/project.ts'
import { addTask, handIn, lineOf, rulings, type Sent, send } from '../../support/subagent.ts'

const plan = { title: 'Plan the accounts', labels: ['decomposition'] }

/** Plays an agent that splits the epic into tasks and submits. */
const cut = async (project: TestProject, rows: object[], entry: object = {}): Promise<Sent> => {
  const sent = await send(project, await addTask(project, plan))
  await handIn(sent, { entry })
  if (rows.length > 0) await sent.as.must('tasks.add', { batch: rows } as never)
  return sent
}

const part = (title: string, more: object = {}) => ({
  title,
  description: `${title}, all of it.`,
  parent: 'T001',
  acceptance: ['it works'],
  ...more,
})

onSqlite((withProject) => {
  test('[PROT-1] a breakdown into small tasks with criteria and dependencies is valid', () =>
    withProject(async (project) => {
      await cut(project, [
        part('Session table', { key: 'a', files: ['src/a.ts'] }),
        part('Sign-in form', { depends: ['a'], description: 'Needs T003, and its columns.' }),
      ])
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Decomposition') })
      expect(await rulings(project, 'T002')).toMatchObject({
        'DCMP-001': ['pass', '2 tasks, no two with the same title'],
        'DCMP-002': ['pass', '2 tasks with 1 dependency'],
        'DCMP-003': ['pass', 'at most 2 levels deep'],
        'DCMP-004': ['pass', 'no leaf declares more than 3 files'],
        'DCMP-005': ['pass', 'no text promises a duration'],
        'DCMP-006': ['pass', '2 tasks with acceptance criteria'],
        'DCMP-007': ['pass', 'no parent has more than 7 open children'],
        'DCMP-008': ['pass', 'no dependency cycle'],
        'DCMP-009': ['pass', 'T002-plan-the-accounts has agent_type decomposition'],
      })
      expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({
        valid: true,
        rules: [],
      })
    }))

  test('[PROT-1] a bad breakdown breaks each rule it violates', () =>
    withProject(async (project) => {
      await cut(
        project,
        [
          part('Session table', { files: ['a', 'b', 'c', 'd'] }),
          part('session  TABLE', { acceptance: [] }),
          part('Sign-in form', { description: 'Depends on T003. It takes about 2 days.' }),
          ...Array.from({ length: 5 }, (_, n) => part(`More ${n}`)),
        ],
        { agentType: 'research' },
      )
      expect(await rulings(project, 'T002')).toMatchObject({
        'DCMP-001': ['fail', 'T004 has the same title as T003'],
        'DCMP-002': ['fail', 'T005 says that it needs T003 but does not depend on it'],
        'DCMP-004': ['fail', 'T003 declares 4 files'],
        'DCMP-005': ['warning', 'T005 says "takes about 2 days"'],
        'DCMP-006': ['fail', 'T004 has no acceptance criteria'],
        'DCMP-007': ['warning', 'T001 has 9 open children'],
        'DCMP-009': ['fail', 'T002-plan-the-accounts has agent_type "research", not decomposition'],
      })
    }))

  test('[PROT-1] closed children do not count towards the seven that a parent should have', () =>
    withProject(async (project) => {
      await cut(
        project,
        Array.from({ length: 8 }, (_, n) => part(`Part ${n}`)),
      )
      for (const id of ['T003', 'T004']) await project.must('tasks.cancel', { id, reason: 'not needed' })
      expect(await rulings(project, 'T002')).toMatchObject({
        'DCMP-007': ['pass', 'no parent has more than 7 open children'],
      })
    }))

  test('[PROT-1] cycles and depths are found even if they were written to the database directly', () =>
    withProject(async (project) => {
      await cut(project, [
        part('One', { key: 'a' }),
        part('Two', { key: 'b' }),
        part('Three', { parent: 'b' }),
      ])
      const db = await project.store()
      await db.run("INSERT INTO depends (task, needs, pos) VALUES ('T003', 'T004', 0), ('T004', 'T003', 0)")
      await db.run("UPDATE tasks SET parent = 'T005' WHERE id = 'T003'")
      expect(await rulings(project, 'T002')).toMatchObject({
        'DCMP-003': ['fail', 'T003 is at depth 4'],
        'DCMP-008': ['fail', 'T003 → T005 → T004 → T003'],
      })
    }))
})

test('[PROT-1] a plan that created no tasks breaks DCMP-002', () =>
  withProject(async (project) => {
    await cut(project, [])
    expect(await rulings(project, 'T002')).toMatchObject({
      'DCMP-002': ['fail', 'T002.1 created no tasks'],
      'DCMP-006': ['na', 'T002.1 created no tasks'],
    })
  }))

test('[PROT-1] tasks that another agent created do not count', () =>
  withProject(async (project) => {
    await cut(project, [part('One')])
    await project.must('tasks.add', part('Without criteria', { acceptance: [] }) as never)
    expect((await rulings(project, 'T002'))['DCMP-006']).toEqual(['pass', '1 task with acceptance criteria'])
  }))

test('[PROT-1] a spawned epic is broken down, and done when its tasks are done', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'Plan', type: 'epic', description: 'People can sign up.' })
    const sent = await send(project, 'T001')
    await handIn(sent)
    await sent.as.must('tasks.add', part('Session table') as never)
    await project.must('orchestrate.receive', { id: 'T001', message: lineOf('Decomposition') })
    expect(await rulings(project, 'T001')).toMatchObject({
      'BASE-003': ['na', 'an epic is done when its tasks are done'],
      'DCMP-002': ['pass', '1 task with 0 dependencies'],
    })
    expect(await project.must('orchestrate.validate', { epic: 'T001' })).toMatchObject({
      valid: true,
      counts: { checked: 1, valid: 1 },
    })
  }))
