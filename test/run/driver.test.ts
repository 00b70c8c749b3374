import { expect, test } from 'vitest'
import { drawReport } from '../../src/run/report-text.ts'
import { styleFor } from '../../src/terminal/terminal.ts'
import { widthOf } from '../../src/terminal/text-width.ts'
import { onEveryStore } from '../support/project.ts'
import { addTask } from '../support/subagent.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { barrier, builds, drive, resumeRun } from './driven.ts'

onEveryStore((withProject) => {
  test('[RUN-1] [RUN-4] a run starts agents in worktrees, merges their work and goes on with what becomes ready', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      await addTask(project, { title: 'Build three', depends: ['T002', 'T003'] })
      const honest = builds(project)
      const bothStarted = barrier(2)
      const { report, agents, news } = await drive(project, async (task) => {
        await bothStarted()
        return honest(task)
      })
      expect(report).toMatchObject({ state: 'finished', merged: 3, waiting: 0, left: 0, retries: 0 })
      expect(agents.started.toSorted()).toEqual(['T002.1', 'T003.1', 'T004.1'])
      expect(agents.mostAtOnce()).toBe(2)
      expect(news.filter(({ kind }) => kind === 'merged').map(({ task }) => task)).toHaveLength(3)
      expect(report.then).toBe('cleo land T001')
    }))

  test('[RUN-3] agents that submit nothing are told apart, tried three times, then a person is asked', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two', 'Build three')
      const honest = builds(project)
      const { report, agents } = await drive(project, async (task) => {
        if (task.task === 'T002')
          return { lastMessage: 'Implementation complete. See MANIFEST.jsonl for summary.' }
        if (task.spawn === 'T003.1') return { denied: ['Bash'] }
        return honest(task)
      })
      const [two, three, four] = report.tasks
      expect(two).toMatchObject({
        ...{ id: 'T002', state: 'waits for a person', attempts: { length: 3 } },
        failures: Array(3).fill('claimed success with nothing'),
      })
      expect(two?.reason).toContain('3 attempts failed')
      const drawn = (width?: number) =>
        drawReport(report, styleFor({}, { isTerminal: width !== undefined, width })).map((line) =>
          line.trim(),
        )
      const failed = '3 attempts · failed: claimed success with nothing 3 times · '
      expect(drawn().join('\n')).toContain(failed)
      // A narrow terminal shows the same text, broken into several lines.
      const narrow = drawn(80)
      expect(narrow.every((line) => widthOf(line) <= 80)).toBe(true)
      expect(narrow.join(' ')).toContain(`${failed}${two?.reason}`)
      expect(three).toMatchObject({
        state: 'merged',
        failures: ['not allowed'],
        attempts: { length: 2 },
      })
      expect(four).toMatchObject({ state: 'merged', failures: [] })
      expect(report).toMatchObject({ state: 'finished', waiting: 1, then: 'cleo inbox' })
      // An attempt that was never started is used again, unless other work was merged in the meantime.
      expect(agents.started.filter((spawn) => spawn.startsWith('T002.'))).toHaveLength(3)
      const inbox = JSON.stringify(await project.must('inbox.list', {}))
      expect(inbox).toContain('T002')
      await project.must('tasks.unblock', { id: 'T002' })
      const { tasks } = await project.must('orchestrate.ready', { epic: 'T001' })
      expect(
        tasks.map(({ id }) => id),
        'the agent gave it up',
      ).toEqual(['T002'])
    }))

  test('[RUN-3] [TREE-4] a conflict is given back, and the next attempt builds on the merged work', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      const bothStarted = barrier(2)
      const { report } = await drive(project, async (task) => {
        await bothStarted()
        return builds(project, ({ spawn }) => ({ 'src/shared.ts': `export const by = '${spawn}'\n` }))(task)
      })
      expect(report).toMatchObject({
        merged: 2,
        retries: 1,
        failures: [{ class: 'merge conflict', times: 1 }],
      })
    }))

  test('[RUN-3] [TREE-4] of works that are merged together, only the one that breaks the tests goes back', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two', 'Build three', 'Build four')
      const allStarted = barrier(4)
      const { report } = await drive(
        project,
        async (task) => {
          await allStarted()
          const pair = { T002: 'left\n', T003: 'right\n' }[task.task]
          const isAgain = !task.spawn.endsWith('.1')
          return builds(project, () =>
            isAgain
              ? { 'src/pair-1.txt': 'same\n', 'src/pair-2.txt': 'same\n' }
              : {
                  [pair ? `src/pair-${task.task === 'T002' ? 1 : 2}.txt` : `src/${task.task}.ts`]:
                    pair ?? '1\n',
                },
          )(task)
        },
        { options: { parallel: 4 } },
      )
      expect(report).toMatchObject({
        ...{ state: 'finished', merged: 4, retries: 1 },
        failures: [{ class: 'checks failed after the merge', times: 1 }],
      })
      expect(
        report.tasks.filter(({ id }) => id === 'T004' || id === 'T005').map(({ failures }) => failures),
        'good work is not sent back',
      ).toEqual([[], []])
    }))

  test('[RUN-3] a quota error starts no further agent and counts no attempt; a resume starts the same spawn again', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      const honest = builds(project)
      const quota = async () => ({ ending: 'quota' as const, reason: 'try again at five' })
      const { report } = await drive(project, quota, { options: { parallel: 1 } })
      expect(report).toMatchObject({ state: 'stopped', merged: 0, left: 2, then: 'cleo run resume R001' })
      expect(report.why).toContain('quota')
      const again = await resumeRun(project, honest)
      expect(again.report, JSON.stringify(again.report)).toMatchObject({
        state: 'finished',
        merged: 2,
        retries: 0,
      })
      expect(again.agents.started.toSorted()).toEqual(['T002.1', 'T003.1'])
    }))

  test('[RUN-3] [RUN-5] the token budget stops the run; the agent that works finishes', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      const honest = builds(project)
      const { report } = await drive(
        project,
        async (task, { note }) => {
          note({ kind: 'tokens', input: 900, output: 200, cost: 0.5 })
          await honest(task)
          return { tokens: { input: 900, output: 200 }, cost: 0.5 }
        },
        { options: { parallel: 1, maxTokens: 1000 } },
      )
      expect(report).toMatchObject({ state: 'stopped', merged: 1, left: 1, tokens: 1100, cost: 0.5 })
    }))

  test('[RUN-1] a task that a person cancels loses its agent; run stop drains', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two', 'Build three')
      const bothStarted = barrier(2)
      const asked = Promise.withResolvers<void>()
      const { report, agents } = await drive(
        project,
        async (task, { stopped }) => {
          // If the run were stopped before both agents have started, it would not start both.
          await bothStarted()
          if (task.task === 'T002') {
            // If T002 were cancelled before the run is asked to stop, the run would start T004 in its place.
            await asked.promise
            await project.must('tasks.cancel', { id: 'T002', reason: 'Not needed.' })
            return { ending: 'ended by us', reason: await stopped }
          }
          await project.must('run.stop', {})
          asked.resolve()
          return builds(project)(task)
        },
        { options: { parallel: 2 } },
      )
      expect(agents.started.toSorted()).toEqual(['T002.1', 'T003.1'])
      expect(report).toMatchObject({ state: 'stopped', merged: 1, left: 1 })
      expect(report.tasks[0]).toMatchObject({ state: 'cancelled' })
    }))

  test('[RUN-2] a driver whose run another one has taken over stops at once', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one', 'Build two')
      const store = await project.store()
      const taken = drive(project, async (task) => {
        await store.run('UPDATE runs SET epoch = epoch + 1')
        return builds(project)(task)
      })
      await expect(taken).rejects.toThrow('Another process has taken over R001')
      const rows = await store.all<{ status: string }>("SELECT status FROM tasks WHERE type = 'task'")
      expect(
        rows.some(({ status }) => status === 'done'),
        'it received nothing',
      ).toBe(false)
    }))
})
