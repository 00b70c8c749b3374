import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { addEpic } from '../support/lifecycle-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-2] at most ten open tasks are listed, the rest is counted', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'implementation' })
      for (let n = 1; n <= 12; n++)
        await must('tasks.add', { title: `Part ${n}`, parent: 'T001', stage: 'implementation' })
      const shown = await must('lifecycle.show', { id: 'T001' })
      expect(shown).toMatchObject({ started: true, more: 2, missing: ['12 open tasks at implementation'] })
      expect(shown.open).toHaveLength(10)
    }))

  test('[PROT-2] a task belongs to its own stage, else to the stage of its protocol', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'research' })
      await must('tasks.add', { title: 'Investigate hashing', parent: 'T001', description: 'Which?' })
      await must('tasks.add', { title: 'Forms', parent: 'T001', description: 'All of them' })
      await must('tasks.add', { title: 'Compare', parent: 'T001', stage: 'validation' })
      await must('tasks.add', { title: 'Fields', parent: 'T003' })
      await must('tasks.add', { title: 'Look around', parent: 'T001', description: 'x' })
      await must('orchestrate.spawn', { id: 'T006', protocol: 'research' })
      const at = async (stage?: 'implementation' | 'validation') => {
        if (stage) await must('tasks.update', { id: 'T001', stage })
        return (await must('lifecycle.show', { id: 'T001' })).open.map(({ id }) => id)
      }
      expect(await at()).toEqual(['T002', 'T006'])
      // Only the open subtask of T003 counts, not T003 itself.
      expect(await at('implementation')).toEqual(['T005'])
      expect(await at('validation')).toEqual(['T004'])
    }))
})

describe('[PROT-2] no stages', () => {
  test('a task that is not an epic, and an unknown id, are refused', () =>
    withProject(async (project) => {
      await addEpic(project)
      expect(await project.call('lifecycle.show', { id: 'T002' })).toMatchObject({
        code: 'epic.expected',
        fix: 'cleo lifecycle show T001',
      })
      expect(await project.call('lifecycle.show', { id: 'T099' })).toMatchObject({ exit: 4 })
    }))

  test('a project may switch them off', () =>
    withProject(async (project) => {
      await addEpic(project)
      await project.must('tasks.add', { title: 'Invoices', type: 'epic' })
      writeFileSync(join(project.root, '.cleo', 'config.json'), '{"stages": false}')
      for (const words of [['show'], ['start'], ['advance'], ['skip', '--reason', 'x']]) {
        const { exit, stdout } = run(executable, ['lifecycle', words[0]!, 'T001', ...words.slice(1)], {
          cwd: project.root,
        })
        expect({ exit, code: JSON.parse(stdout).error.code }).toEqual({ exit: 6, code: 'stages.off' })
      }
    }))
})
