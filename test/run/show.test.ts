import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onSqlite } from '../support/project.ts'
import { addTasks, inRepository } from '../support/worktrees.ts'
import { builds, drive } from './driven.ts'

onSqlite((withProject) => {
  test('[RUN-5] reports what was built, by whom, with which evidence, as data and as Markdown', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      await drive(project, builds(project))
      const report = await project.must('run.show', {})
      expect(report).toMatchObject({
        ...{ id: 'R001', epic: 'T001', state: 'finished', merged: 1, then: 'cleo land T001' },
        tasks: [
          {
            ...{ id: 'T002', state: 'merged', commits: 1, attempts: [{ spawnId: 'T002.1', ended: 'ended' }] },
            evidence: expect.arrayContaining(['implemented', 'testsPassed']),
          },
        ],
      })
      const { document } = (await project.must('run.show', { id: 'R001', markdown: true })) as {
        document: string
      }
      expect(document).toContain('| T002 Build one | merged | T002.1 scripted | 1 |')
      expect(readFileSync(`${project.root}/.cleo/runs/R001/report.md`, 'utf8')).toBe(document)
      expect(await project.call('run.show', { id: 'R7' })).toMatchObject({ code: 'run.not_found', exit: 4 })
    }))

  test('[TASK-10] the hooks of run.finished get the run and its epic', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      const heard = `${project.root}/.cleo/heard.json`
      writeFileSync(`${project.root}/.cleo/notify.sh`, `cat > '${heard}'\n`)
      await project.must('admin.config.set', {
        key: 'hooks.run.finished',
        value: JSON.stringify([['sh', '.cleo/notify.sh']]),
      })
      await drive(project, builds(project))
      expect(JSON.parse(readFileSync(heard, 'utf8'))).toMatchObject({
        ...{ event: 'run.finished', run: 'R001', task: { id: 'T001' }, project: project.root },
      })
    }))

  test('[RUN-5] a title adds no line, link, code or HTML to the Markdown report', () =>
    inRepository(withProject, async (project) => {
      await addTasks(project, 'Build one')
      await project.must('tasks.update', { id: 'T001', title: 'Shop\n\n# T009 merged \u001b[2J' })
      await project.must('tasks.update', {
        id: 'T002',
        title: 'a | b `c` <img src=x> [d](javascript:e) \u202e',
      })
      await drive(project, builds(project))
      const { document } = (await project.must('run.show', { markdown: true })) as { document: string }
      expect(document.split('\n')[0]).toBe('# R001: Shop # T009 merged \\\\u{1b}\\[2J')
      expect(document).toContain(
        '| T002 a \\| b \\`c\\` &lt;img src=x> \\[d\\](javascript:e) \\\\u{202e} | merged |',
      )
    }))
})
