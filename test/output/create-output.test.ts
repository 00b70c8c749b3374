import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[MANI-6] the focus of a spawn makes its output file and never overwrites one', () =>
    withProject(async (project) => {
      await addTask(project)
      const { as } = await send(project, 'T002')
      const { output } = await as.must('focus.set', { id: 'T002' })
      expect(output).toBe(`${project.root}/claudedocs/agent-outputs/T002-sign-up-form.md`)
      expect(readFileSync(output!, 'utf8')).toContain('**Status**: draft')
      writeFileSync(output!, 'mine\n')
      expect(await as.must('focus.set', { id: 'T002' })).toMatchObject({ noChange: true, output })
      expect(await as.must('output.new', { id: 'T002' })).toEqual({ path: output, noChange: true })
      expect(readFileSync(output!, 'utf8')).toBe('mine\n')
      const folder = `${project.root}/claudedocs/agent-outputs/forms`
      mkdirSync(folder)
      renameSync(output!, `${folder}/T002-other.md`)
      const other = await as.must('focus.set', { id: 'T002' })
      expect(other.output, 'a file in a category is the file').toBe(`${folder}/T002-other.md`)
    }))

  test('[MANI-6] others get no output file, and a file that cannot be made is a warning', () =>
    withProject(async (project) => {
      await addTask(project)
      await project.must('tasks.add', { title: 'Page' })
      expect(await project.must('focus.set', { id: 'T003' })).not.toHaveProperty('output')
      const { as } = await send(project, 'T002')
      const outputs = `${project.root}/claudedocs/agent-outputs`
      rmSync(outputs, { recursive: true, force: true })
      mkdirSync(`${project.root}/elsewhere`)
      mkdirSync(`${project.root}/claudedocs`, { recursive: true })
      symlinkSync(`${project.root}/elsewhere`, outputs)
      const answer = await as.call('focus.set', { id: 'T002' })
      expect(answer).toMatchObject({ ok: true, warnings: [expect.stringContaining('link')] })
    }))
})
