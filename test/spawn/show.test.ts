import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[SPAWN-6] [TOK-10] shows a spawn with its skills, budget and token report', () =>
    withProject(async (project) => {
      const { must } = project
      await plantOrdinary(project)
      const spawned = await must('orchestrate.spawn', { id: 'T004', here: true })
      if (!('taskId' in spawned)) throw new Error('a pointer')
      const { prompt: _, ...facts } = spawned
      const shown = await must('orchestrate.spawn.show', { id: 'T004.1' })
      expect(shown).toMatchObject(facts)
      expect(shown).not.toHaveProperty('startedAt')
      expect(await must('orchestrate.spawn.show', { id: 'T004' })).toEqual(shown)
      await project.as('T004.1').must('focus.set', { id: 'T004' })
      expect(await must('orchestrate.spawn.show', { id: 'T004' })).toHaveProperty('startedAt')
    }))

  test('[SPAWN-6] --prompt prints the recorded prompt, and a changed prompt file is a warning', () =>
    withProject(async (project) => {
      const { must, call } = project
      await plantOrdinary(project)
      const { promptFile } = (await must('orchestrate.spawn', { id: 'T004', ref: true })) as {
        promptFile: string
      }
      const recorded = readFileSync(promptFile, 'utf8')
      expect(await must('orchestrate.spawn.show', { id: 'T004', prompt: true })).toEqual({
        document: recorded,
      })
      writeFileSync(promptFile, 'changed')
      expect(await call('orchestrate.spawn.show', { id: 'T004' })).toMatchObject({
        warnings: [`${promptFile} differs from the recorded prompt; --prompt prints the recorded one`],
      })
      expect(await must('orchestrate.spawn.show', { id: 'T004', prompt: true })).toEqual({
        document: recorded,
      })
    }))

  test('[SPAWN-6] refuses a spawn that does not exist, a task that was never spawned and anything else', () =>
    withProject(async ({ call, ...project }) => {
      await plantOrdinary({ call, ...project })
      expect(await call('orchestrate.spawn.show', { id: 'T004' })).toMatchObject({ code: 'spawn.none' })
      expect(await call('orchestrate.spawn.show', { id: 'T004.1' })).toMatchObject({
        code: 'spawn.not_found',
        exit: 4,
      })
      expect(await call('orchestrate.spawn.show', { id: 'everything' })).toMatchObject({ exit: 6 })
    }))
})
