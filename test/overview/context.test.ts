import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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
      mkdirSync(`${project.root}/.cleo/context`)
      const printed = (lines: string) => writeFileSync(`${project.root}/.cleo/context/${session}`, lines)
      printed(
        'orchestrate.next 100\norchestrate.ready 500\norchestrate.next 120\n\nnonsense\ntorn 9e\nx -5\norch',
      )
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
        printed(`tasks.show ${used}\n`)
        states.push((await context()).state)
      }
      expect(states).toEqual(['ok', 'warning', 'warning', 'critical', 'critical'])
    }))
})
