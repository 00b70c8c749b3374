import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Config } from '../../src/kernel/config.ts'
import { sandboxProblem } from '../../src/project-commands/sandbox.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, commit, put, repository } from '../support/subagent.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive } from './driven.ts'

const problem = await sandboxProblem(nodeHost(), process.cwd())
const why = problem ? ` (SKIPPED: ${problem})` : ''
if (problem) console.warn(`run.verify: bubblewrap is not tested, because ${problem}`)

/** A test command that tries to write outside the worktree, and prints what it could do. */
const probe = (outside: string) =>
  `sh check.sh && { touch ${outside} 2>/dev/null || true; touch inside && rm inside && echo wrote; } && ` +
  '{ touch .git/x 2>/dev/null || true; } && grep -c : /proc/net/dev'

/** Returns the project for a caller whose PATH has git but no bubblewrap. */
const withoutBubblewrap = (project: TestProject): TestProject => {
  const { PATH = '' } = process.env
  put(`${project.root}/.home/bin`, { git: `#!/bin/sh\nPATH='${PATH}' exec git "$@"\n` })
  chmodSync(`${project.root}/.home/bin/git`, 0o755)
  return project.afresh({ PATH: `${project.root}/.home/bin` })
}

onSqlite((withProject) => {
  test('[RUN-3] [PROJ-8] run.verify bubblewrap acts before anyone trusts it, and no edit weakens it', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const start = async (run: object | undefined) => {
        const path = `${project.root}/.cleo/config.json`
        const { run: _, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Config
        writeFileSync(path, JSON.stringify({ ...rest, run }))
        const input = { epic: 'T001', agent: 'command', command: '/bin/true' } as const
        return withoutBubblewrap(project).call('run.start', input, { dryRun: true })
      }
      const missing = { ok: false, code: 'run.verify', fix: 'cleo config set run.verify same-user' }
      expect(await start({ verify: 'same-user' })).toMatchObject({ ok: true, value: { verify: 'same-user' } })
      expect(await start({ verify: 'bubblewrap' }), 'a clone may be stricter').toMatchObject(missing)
      await withoutBubblewrap(project).must('admin.trust', { yes: true })
      expect(await start({ verify: 'same-user' }), 'an edit is not').toMatchObject(missing)
      expect(await start(undefined), 'nor is a removal').toMatchObject(missing)
      await withoutBubblewrap(project).must('admin.trust', { yes: true })
      expect(await start(undefined), 'a person accepts it').toMatchObject({ ok: true })
    }))

  test.skipIf(problem)(
    `[RUN-3] with run.verify bubblewrap the gates have no network and write only in the worktree${why}`,
    () =>
      inRepository(withProject, async (project) => {
        const outside = `${project.root}/.home/outside`
        const makefile = readFileSync(`${project.root}/Makefile`, 'utf8')
        commit(project.root, 'Try to leave', { Makefile: makefile.replace('sh check.sh', probe(outside)) })
        await project.must('admin.trust', { yes: true })
        await addTasks(project, 'Build one', 'Build two')
        const { report } = await drive(project, builds(project), { options: { verify: 'bubblewrap' } })
        expect(report).toMatchObject({ merged: 2, verify: 'bubblewrap', failures: [] })
        expect(existsSync(outside), 'nothing was written outside').toBe(false)
        const same = await project.must('run.show', { markdown: true })
        expect('document' in same && same.document).toContain('bubblewrap, without network')
      }),
  )
})
