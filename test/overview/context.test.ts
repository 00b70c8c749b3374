import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { printedBefore } from '../support/printed-before.ts'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

onEveryStore((withProject) => {
  test('[ORCH-4] context adds up what a session printed: warning at 70 %, critical at 90 %', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      expect(await project.call('orchestrate.context', {})).toMatchObject({
        code: 'session.unnamed',
        exit: 31,
      })
      const { session } = await project.must('orchestrate.start', { epic: 'T001' })
      const context = () => project.as('ada', session).must('orchestrate.context', {})
      expect(await context()).toEqual({ session, used: 0, of: 10_000, state: 'ok', byCommand: [] })
      const printed = (...answers: [operation: string, tokens: number][]) =>
        printedBefore(project.root, session, answers)
      printed(['orchestrate.next', 100], ['orchestrate.ready', 500], ['orchestrate.next', 120])
      expect(await context()).toEqual({
        session,
        used: 720,
        of: 10_000,
        state: 'ok',
        byCommand: [
          { operation: 'orchestrate.ready', calls: 1, tokens: 500 },
          { operation: 'orchestrate.next', calls: 2, tokens: 220 },
        ],
      })
      const states = []
      for (const used of [6999, 7000, 8999, 9000, 50_000]) {
        rmSync(`${project.root}/.cleo/context`, { recursive: true })
        printed(['tasks.show', used])
        states.push((await context()).state)
      }
      expect(states).toEqual(['ok', 'warning', 'warning', 'critical', 'critical'])
    }))
})
