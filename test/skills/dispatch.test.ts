import { expect, test } from 'vitest'
import { onSqlite } from '../support/project.ts'
import { put } from './skill-files.ts'

onSqlite((withProject) => {
  test('[SKILL-7] the answer names protocol, skill, rule and words', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Customer accounts', type: 'epic' })
      await must('tasks.add', { title: 'Compare password hashing', parent: 'T001' })
      await must('tasks.add', { title: 'Check it', parent: 'T001', stage: 'validation' })
      await must('tasks.add', { title: 'Sign-up form', parent: 'T001', labels: ['ui', 'adr'] })
      const on = async (id: string) => Object.values(await must('orchestrate.dispatch', { id })).flat()
      expect(await on('T001')).toEqual(['decomposition', 'ct-epic-architect', 'type', 'epic'])
      expect(await on('T002')).toEqual(['research', 'ct-research-agent', 'title', 'Compare'])
      expect(await on('T003')).toEqual(['implementation', 'ct-validator', 'stage', 'validation'])
      expect(await on('T004')).toEqual(['specification', 'ct-adr-recorder', 'label', 'adr'])
      expect(await call('orchestrate.dispatch', { id: 'T099' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
    }))

  test('[TOK-9] an untrusted skill is not used, and a warning says so', () =>
    withProject(async ({ root, must, call }) => {
      const own = (name: string, more: string) =>
        `---\nname: ${name}\ndescription: x\nmetadata:\n  tier: "1"\n${more}---\nDo it.\n`
      put(root, 'skills/deploy/SKILL.md', own('deploy', '  dispatch_triggers: "roll out"\n'))
      put(root, 'skills/ct-task-executor/SKILL.md', own('ct-task-executor', ''))
      await must('tasks.add', { title: 'Roll out the form' })
      await must('tasks.add', { title: 'Sign-up form' })
      await must('tasks.add', { title: 'Compare password hashing' })
      const first = await call('orchestrate.dispatch', { id: 'T001' })
      expect(first).toMatchObject({
        value: { protocol: 'implementation', skill: 'ct-task-executor', rule: 'fallback' },
        warnings: [
          'skill deploy (skills/deploy) is not trusted and was not used; see: cleo trust',
          'skill ct-task-executor (skills/ct-task-executor) is not trusted and was not used; see: cleo trust',
        ],
      })
      expect(await call('orchestrate.dispatch', { id: 'T002' })).toMatchObject({
        value: { skill: 'ct-task-executor' },
        warnings: [
          'skill ct-task-executor (skills/ct-task-executor) is not trusted and was not used; see: cleo trust',
        ],
      })
      expect(await call('orchestrate.dispatch', { id: 'T003' })).toMatchObject({ warnings: [] })
      await must('admin.trust', { yes: true })
      expect(await call('orchestrate.dispatch', { id: 'T001' })).toMatchObject({
        value: { protocol: 'implementation', skill: 'deploy', rule: 'trigger', matched: ['roll out'] },
        warnings: [],
      })
      put(root, 'skills/deploy/new.md', 'More.')
      expect(await call('orchestrate.dispatch', { id: 'T001' })).toMatchObject({
        value: { skill: 'ct-task-executor' },
        warnings: [
          'skill deploy (skills/deploy) has changed since it was trusted and was not used; see: cleo trust',
        ],
      })
    }))

  test('[TOK-9] a hundred untrusted skills change nothing', () =>
    withProject(async ({ root, must, call }) => {
      for (let i = 0; i < 100; i++) {
        const text = `---\nname: s${i}\ndescription: x\nmetadata:\n  dispatch_triggers: "form"\n---\n`
        put(root, `skills/s${i}/SKILL.md`, text)
      }
      await must('tasks.add', { title: 'Sign-up form' })
      const answer = await call('orchestrate.dispatch', { id: 'T001' })
      expect(answer).toMatchObject({ value: { skill: 'ct-task-executor', rule: 'fallback' } })
      expect(answer.ok && answer.warnings).toHaveLength(10)
    }))
})
