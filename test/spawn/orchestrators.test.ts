import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

const minute = 60_000

const spawned = { ok: true, value: { spawnId: 'T002.1', noChange: true } }
const reserved = { ok: false, code: 'spawn.reserved', exit: 35 }

onEveryStore((withProject) => {
  test('[SESS-5] another actor does not get an unstarted spawn; the one that asked does', () =>
    withProject(async (project) => {
      await addTask(project)
      const ann = project.as('ann')
      await send(ann, 'T002')
      expect(await ann.call('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject(spawned)
      const refused = await project.as('bob').call('orchestrate.spawn', { id: 'T002', ref: true })
      expect(refused).toMatchObject({
        ...reserved,
        message: expect.stringMatching(
          /^T002 cannot be spawned again yet: the agent of T002\.1, spawned by ann at 20[-\d]+ [\d:]+, has not started\.$/,
        ),
        fix: 'cleo next',
      })
      expect(await project.as('bob').call('orchestrate.respawn', { id: 'T002' })).toMatchObject(reserved)
      expect(
        await project.as('bob').call('orchestrate.spawn', { id: 'T002', tier: 0 }),
        'nor is it replaced by another prompt',
      ).toMatchObject(reserved)
    }))

  test('[SESS-5] orchestrators of one actor differ by session', () =>
    withProject(async (project) => {
      await addTask(project)
      const first = (await project.must('session.start', { name: 'day' })).id
      const second = (await project.must('session.start', { name: 'night' })).id
      await send(project.as('ada', first), 'T002')
      expect(
        await project.as('ada', second).call('orchestrate.spawn', { id: 'T002', ref: true }),
      ).toMatchObject({
        ...reserved,
        message: expect.stringContaining(`spawned by ada in session ${first} at`),
      })
      expect(await project.call('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject(reserved)
      expect(
        await project.as('ada', first).call('orchestrate.spawn', { id: 'T002', ref: true }),
      ).toMatchObject(spawned)
    }))

  test.each([
    'CODEX_THREAD_ID',
    'COPILOT_AGENT_SESSION_ID',
    'QWEN_CODE_AGENT_ID',
    'QWEN_CODE_SESSION_ID',
    'CLAUDE_CODE_SESSION_ID',
  ])('[SESS-5] orchestrators of one actor differ by %s', (variable) =>
    withProject(async (project) => {
      await addTask(project)
      const first = project.afresh({ [variable]: 'thread-1' })
      await send(first, 'T002')
      expect(
        await project.afresh({ [variable]: 'thread-2' }).call('orchestrate.spawn', { id: 'T002' }),
      ).toMatchObject({
        ...reserved,
        message: expect.stringContaining(`spawned by ada (${variable}=thread-1) at`),
      })
      const again = await project
        .afresh({ [variable]: 'thread-1' })
        .call('orchestrate.spawn', { id: 'T002', ref: true })
      expect(again).toMatchObject(spawned)
    }),
  )

  test('[SESS-5] without actor, session and thread of their own, orchestrators are one', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project.afresh({ CLAUDECODE: '1' }), 'T002')
      expect(
        await project.afresh({ CLAUDECODE: '1' }).call('orchestrate.spawn', { id: 'T002', ref: true }),
      ).toMatchObject(spawned)
    }))

  test('[SESS-5] once its lease is over, an unstarted spawn is replaced, never given to another', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project.as('ann'), 'T002')
      const bob = project.as('bob')
      await project.pass(14 * minute)
      expect(await bob.call('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject(reserved)
      await project.pass(2 * minute)
      expect(await bob.must('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({
        spawnId: 'T002.2',
      })
      expect(await project.as('T002.1').call('focus.set', { id: 'T002' })).toMatchObject({
        code: 'spawn.superseded',
      })
    }))

  test('[SESS-5] a person replaces an unstarted spawn of another at any time, by a new attempt', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project.as('ann'), 'T002')
      expect(await project.must('orchestrate.spawn', { id: 'T002', ref: true, replace: true })).toMatchObject(
        { spawnId: 'T002.2' },
      )
    }))

  test('[SESS-5] of eight orchestrators that spawn a task at once, one gets a spawn', () =>
    withProject(async (project) => {
      await addTask(project)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          project.afresh().as(`orchestrator-${i}`).call('orchestrate.spawn', { id: 'T002', ref: true }),
        ),
      )
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject(reserved)
    }))
})
