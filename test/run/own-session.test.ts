import { expect, test } from 'vitest'
import type { AgentTask } from '../../src/agent-processes/agent.ts'
import { onEveryStore, onSqlite } from '../support/project.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive, resumeRun } from './driven.ts'
import type { Play } from './memory-agents.ts'

const claims = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** Makes an agent whose client has a session for each spawn. `given` lists what each process was started with. */
const withSessions = (play: Play) => {
  const given: Pick<AgentTask, 'spawn' | 'folder' | 'prompt' | 'resume'>[] = []
  const agent: Play = async (task, playing) => {
    given.push(task)
    const end = await play(task, playing)
    return { session: `session of ${task.spawn}`.replaceAll(' ', '-'), ...end }
  }
  return { given, agent }
}

onEveryStore((withProject) => {
  test('[RUN-3] refused work is sent back once in the same session and folder, with what was missing', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const file = (text: string) => () => ({ 'src/one.ts': `${text}\n` })
      const { given, agent } = withSessions((task) =>
        builds(project, file(task.resume ? 'works' : 'BROKEN'))(task),
      )
      const { report, news } = await drive(project, agent, { resumes: true })
      expect(report, JSON.stringify(report)).toMatchObject({ state: 'finished', merged: 1, retries: 1 })
      const [first, second] = given
      expect(given.map(({ spawn }) => spawn)).toEqual(['T002.1', 'T002.1'])
      expect(second).toMatchObject({ resume: 'session-of-T002.1', folder: first!.folder })
      expect(second!.prompt).toMatch(
        /^CLEO checked your work on T002 and did not accept it\.\n\nThe last attempt was refused: it /,
      )
      expect(second!.prompt).toMatch(/testsPassed: failed: make test exited with 2 in .*T002\.1 at /)
      expect(report.tasks[0]).toMatchObject({
        failures: ['gates not met'],
        attempts: [
          { spawnId: 'T002.1', session: 'new', ended: 'ended' },
          { spawnId: 'T002.1', session: 'continued', ended: 'ended' },
        ],
      })
      expect(news.filter(({ kind }) => kind === 'started')).toMatchObject([
        { session: 'new' },
        { session: 'continued', sentBack: true },
      ])
    }))
})

onSqlite((withProject) => {
  test('[RUN-3] the third attempt has a new session, which starts from the commits of the last one', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const { given, agent } = withSessions(async () => ({ lastMessage: claims }))
      const { report } = await drive(project, agent, { resumes: true })
      expect(report.tasks[0]).toMatchObject({ state: 'waits for a person', attempts: { length: 3 } })
      expect(given.map(({ spawn, resume }) => [spawn, resume])).toEqual([
        ['T002.1', undefined],
        ['T002.1', 'session-of-T002.1'],
        ['T002.2', undefined],
      ])
    }))

  test.each([
    ['crashed', { ending: 'crashed' }],
    ['hung', { ending: 'idle' }],
    ['took too long', { ending: 'too long' }],
    ['has no session', { session: '' }],
  ] as const)('[RUN-3] an agent that %s is followed by one with a new session', (_, end) =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const honest = builds(project)
      const { given, agent } = withSessions(async (task) =>
        task.spawn === 'T002.1' ? { ...end } : honest(task),
      )
      const { report } = await drive(project, agent, { resumes: true })
      expect(report).toMatchObject({ merged: 1 })
      expect(given.map(({ spawn, resume }) => [spawn, resume])).toEqual([
        ['T002.1', undefined],
        ['T002.2', undefined],
      ])
    }),
  )

  test('[RUN-3] an agent that asked a question is told in its session that no person answers', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const honest = builds(project)
      const { given, agent } = withSessions(async (task) =>
        task.resume ? honest(task) : { ending: 'asked a question', lastMessage: 'Tabs or spaces?' },
      )
      const { report } = await drive(project, agent, { resumes: true })
      expect(report).toMatchObject({ merged: 1, failures: [{ class: 'asked a question', times: 1 }] })
      expect(given[1]!.prompt).toContain('No person answers questions here')
    }))

  test('[RUN-3] a session that the client has lost counts no attempt: the whole prompt starts a new one', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const honest = builds(project)
      const { given, agent } = withSessions(async (task) => {
        if (task.resume) return { ending: 'crashed', reason: 'No conversation found' }
        return task.prompt.includes('did not accept it') ? honest(task) : { lastMessage: claims }
      })
      const { report } = await drive(project, agent, { resumes: true })
      expect(report).toMatchObject({ merged: 1, retries: 1 })
      expect(report.tasks[0]).toMatchObject({
        failures: ['claimed success with nothing'],
        remarks: ['not started (its session could not be continued: No conversation found)'],
      })
      expect(given.map(({ spawn, resume }) => [spawn, resume])).toEqual([
        ['T002.1', undefined],
        ['T002.1', 'session-of-T002.1'],
        ['T002.1', undefined],
      ])
      expect(given[2]!.prompt.startsWith(given[0]!.prompt)).toBe(true)
    }))

  test('[RUN-2] [RUN-3] an agent that was sent back and then ended is told again after a resume', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const lazy = withSessions(async ({ resume }, { stopped }) => {
        if (!resume) return { lastMessage: claims }
        await project.must('run.stop', { now: true })
        return { ending: 'ended by us', reason: await stopped }
      })
      const { report } = await drive(project, lazy.agent, { resumes: true })
      expect(report).toMatchObject({ state: 'stopped', left: 1 })
      const { given, agent } = withSessions(builds(project))
      const again = await resumeRun(project, agent, { resumes: true })
      expect(again.report).toMatchObject({ state: 'finished', merged: 1, retries: 1 })
      expect(given).toMatchObject([{ spawn: 'T002.1', resume: 'session-of-T002.1' }])
      expect(given[0]!.prompt).toContain('did not accept it')
    }))
})
