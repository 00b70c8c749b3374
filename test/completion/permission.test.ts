import { expect, test } from 'vitest'
import { permitWithoutContract } from '../../src/completion/contract-check.ts'
import { permissionBy } from '../../src/completion/permission.ts'
import type { Context } from '../../src/operation/context.ts'
import { writer } from '../../src/operation/write.ts'
import { standingOf } from '../../src/standing/standing.ts'
import * as tasks from '../../src/tasks/sql/tasks.ts'
import { transition } from '../../src/tasks/transition.ts'
import { opened } from '../skills/skill-files.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, handIn, repository, send } from '../support/subagent.ts'

/** Returns the context that an operation gets. The tests need it to call functions of operations directly. */
const contextOf = async ({ root, store }: TestProject): Promise<Context> => {
  const context: Context = {
    ...opened(root),
    store: await store(),
    write: (work) => writer(context, 'test')(work),
  }
  return context
}

test('[GATE-1] the change to done demands a permit, and one that still holds', () =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { title: 'Compare hashing', labels: ['research'] })
    const sent = await send(project, 'T002')
    await handIn(sent)
    const context = await contextOf(project)
    const permission = permissionBy(await standingOf(context, 'T002'))
    if (!permission.may) throw new Error(permission.failure.message)
    const { permit } = permission
    const done = (given: unknown) =>
      context.write(async (tx) => {
        const row = (await tasks.find(tx.db, 'T002'))!
        await transition(tx, row, { to: 'done', permit: given as never })
        return { ok: true, value: null }
      })
    const failure = { code: 'task.changed', exit: 21 }
    for (const forged of [undefined, permitWithoutContract('T002'), { ...permit, task: 'T001' }])
      await expect(done(forged), JSON.stringify(forged)).rejects.toMatchObject({ failure })
    // Evidence, a change of the task or a new attempt in the meantime makes the permit invalid.
    await sent.as.must('verify.gate', { id: 'T002', gate: 'cleanupDone', evidence: 'note:x' })
    await expect(done(permit), 'evidence came').rejects.toMatchObject({ failure })
    expect((await project.must('tasks.show', { id: 'T002' })).status).toBe('active')
  }))
