import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputs, put, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-6] every output file of a task is checked, and a filled-in file passes', () =>
    withSpawnedTask(withProject, async (project) => {
      const { path } = await project.must('output.new', { id: 'T003' })
      const check = (target: string) => project.call('output.check', { target })
      const refused = await check('t3')
      expect(refused).toMatchObject({ ok: false, code: 'content.invalid', exit: 6 })
      expect(!refused.ok && refused.problems?.map(({ message }) => message)).toContain(
        '"## Summary" is still empty',
      )
      const head = '# Form\n\nTask: T003\nEpic: T001\nDate: 2026-01-31\nStatus: complete\n'
      const sections = ['Summary', 'Content', 'References'].map((name) => `\n## ${name}\n\nSome words.\n`)
      put(project, `${outputs}/T003-form.md`, head + sections.join(''))
      expect(await check('T003')).toMatchObject({ value: { checked: 1, findings: [] } })
      expect(await check(path)).toMatchObject({ value: { checked: 1, findings: [] } })
      expect(await check('T099')).toMatchObject({ code: 'task.not_found', exit: 4 })
      expect(await check(' ')).toMatchObject({ code: 'input.invalid' })
    }))
})

test('[MANI-6] a file must be in an output folder, named after its task, and not a symbolic link', () =>
  withSpawnedTask(withProject, async (project) => {
    const check = (target: string) => project.call('output.check', { target })
    expect(await check('T003')).toMatchObject({ code: 'output.absent', fix: 'cleo output new T003' })
    put(project, 'elsewhere/T003-x.md')
    expect(await check('elsewhere/T003-x.md')).toMatchObject({
      problems: [{ message: expect.stringContaining('is not in') }],
    })
    put(project, `${outputs}/notes.md`)
    expect(await check(`${outputs}/notes.md`)).toMatchObject({
      problems: [{ message: expect.stringContaining('is not named after a task') }],
    })
    symlinkSync('/etc/hostname', join(project.root, outputs, 'T003-link.md'))
    expect(await check(`${outputs}/T003-link.md`)).toMatchObject({ problems: [{ message: 'is a link' }] })
    put(project, `${outputs}/T003-run.sh`, 'true')
    expect(await check(`${outputs}/T003-run.sh`)).toMatchObject({ value: { findings: [] } })
  }))
