import { expect, test } from 'vitest'
import { build, inRepository, prove } from '../../support/implementation.ts'
import { addTask, handIn, rulings, send } from '../../support/subagent.ts'

test('[PROT-2] an agent that worked on a task cannot validate it', () =>
  inRepository(async (project) => {
    const author = await build(project, 'Add the form\n\nTask: T002')
    await addTask(project, { title: 'Draw the form' })
    await project.as('bob').must('focus.set', { id: 'T003' })
    await project.must('tasks.cancel', { id: 'T003', reason: 'It is drawn already.' })
    await addTask(project, { title: 'Validate the form', stage: 'validation', depends: ['T002', 'T003'] })
    await prove(author)
    await author.as.must('tasks.complete', { id: 'T002' })
    const sent = await send(project, 'T004')
    await handIn(sent)
    expect((await rulings(project, 'T004'))['validation']).toEqual([
      'pass',
      'T004.1 validated T002 by T002.1, T003 by bob',
    ])
    await sent.as.must('focus.clear', {})
    await project.as('bob').must('focus.set', { id: 'T004' })
    expect((await rulings(project, 'T004'))['validation']).toEqual(['fail', 'bob worked on T003 itself'])
  }))
