import { expect, test } from 'vitest'
import { build, inRepository, prove } from '../../support/implementation.ts'
import { addTask, handIn, rulings, send } from '../../support/subagent.ts'

test('[PROT-2] an agent that worked on a task cannot validate it', () =>
  inRepository(async (project) => {
    const author = await build(project, 'Add the form\n\nTask: T002')
    await addTask(project, { title: 'Validate the form', stage: 'validation', depends: ['T002'] })
    await prove(author)
    await author.as.must('tasks.complete', { id: 'T002' })
    const sent = await send(project, 'T003')
    await handIn(sent)
    expect((await rulings(project, 'T003'))['validation']).toEqual([
      'pass',
      'T003.1 validated T002 by T002.1',
    ])
    await sent.as.must('focus.clear', {})
    await project.as('T002.1').must('focus.set', { id: 'T003' })
    expect((await rulings(project, 'T003'))['validation']).toEqual(['fail', 'T002.1 worked on T002 itself'])
  }))
