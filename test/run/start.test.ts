import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestProject } from '../support/project.ts'
import { onEveryStore } from '../support/project.ts'
import { addTask, git, put, repository } from '../support/subagent.ts'

const command = { agent: 'command', command: '/bin/true' } as const

/** Returns the project for a caller whose PATH has only programs with these names. */
const withPrograms = (project: TestProject, ...names: string[]): TestProject => {
  put(`${project.root}/bin`, Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])))
  for (const name of names) chmodSync(`${project.root}/bin/${name}`, 0o755)
  return project.afresh({ PATH: `${project.root}/bin` })
}

onEveryStore((withProject) => {
  test('[RUN-1] names the agent to choose, or what to do if none is installed', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const none = withPrograms(project)
      expect(await none.call('run.start', { epic: 'T001' })).toMatchObject({
        ...{ ok: false, code: 'run.agentless', exit: 70 },
        fix: 'cleo run T001 --agent command --command ./agent.sh',
      })
      const two = withPrograms(project, 'claude', 'codex')
      expect(await two.call('run.start', { epic: 'T001' })).toMatchObject({
        ...{ ok: false, code: 'run.agents', fix: 'cleo run T001 --agent claude' },
        message: 'Several agent clients are installed: claude, codex. Choose one.',
      })
      const missing = { epic: 'T001', agent: 'command', command: './no-such-agent' } as const
      expect(await project.call('run.start', missing)).toMatchObject({
        ...{ ok: false, code: 'run.agent', fix: 'cleo run --help' },
      })
      // A wrong epic is named before a wrong agent.
      const both = await project.call('run.start', { ...missing, epic: 'T099' })
      expect(both).toMatchObject({ ok: false, code: 'task.not_found' })
      const cost = await project.call('run.start', { epic: 'T001', ...command, maxCost: 5 })
      expect(cost).toMatchObject({ ok: false, code: 'run.cost' })
    }))

  test('[RUN-1] refuses what would fail later, before anything is started', () =>
    withProject(async (project) => {
      const start = () => project.call('run.start', { epic: 'T001', ...command })
      expect(await start()).toMatchObject({ ok: false, code: 'task.not_found' })
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      expect(await start()).toMatchObject({ code: 'run.nothing', fix: 'cleo add "First task" --parent T001' })
      await addTask(project)
      git(project.root, 'init', '-q', '-b', 'main')
      expect(await start()).toMatchObject({ code: 'run.unborn', fix: 'git add -A && git commit -m "Begin"' })
      repository(project.root)
      git(project.root, 'checkout', '-q', '--detach')
      expect(await start()).toMatchObject({ code: 'run.detached', fix: 'git switch -c work-on-t001' })
      git(project.root, 'switch', '-q', 'main')
      await project.must('tasks.block', { id: 'T002', reason: 'No access.' })
      expect(await start()).toMatchObject({ code: 'run.nothing', fix: 'cleo inbox' })
      expect(await (await project.store()).all('SELECT * FROM runs')).toEqual([])
    }))

  test('[RUN-1] a dry run shows the plan; a spawn cannot start a run', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      await addTask(project, { title: 'Sign-up mail', depends: ['T002'] })
      const planned = await project.call('run.start', { epic: 'T001', ...command }, { dryRun: true })
      expect(planned).toMatchObject({ ok: true, value: { first: ['T002'], waves: [['T002'], ['T003']] } })
      expect((planned as { warnings?: string[] }).warnings ?? []).toEqual([])
      git(project.root, 'add', '-A')
      put(project.root, { 'open.txt': 'not committed\n' })
      expect(await project.call('run.start', { epic: 'T001', ...command }, { dryRun: true })).toMatchObject({
        warnings: [
          expect.stringMatching(/^uncommitted changes are not in the folders of the agents: .*open\.txt/),
        ],
      })
      await project.must('orchestrate.spawn', { id: 'T002', ref: true, here: true })
      const agent = project.as('T002.1')
      expect(await agent.call('run.start', { epic: 'T001', ...command })).toMatchObject({ exit: 64 })
      expect(await agent.call('run.stop', {})).toMatchObject({ exit: 64 })
      expect(await agent.call('run.resume', {})).toMatchObject({ exit: 64 })
    }))
})
