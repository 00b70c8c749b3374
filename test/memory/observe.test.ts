import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import fc from '../support/properties.ts'

onEveryStore((withProject) => {
  test('[MEM-1] an exact repeat changes nothing; a new task is linked to the existing memory', () =>
    withProject(async ({ must }) => {
      for (const title of ['a', 'b']) await must('tasks.add', { title })
      const fact = { text: 'x\0y is odd', source: 's', task: ['T001'] }
      expect(await must('memory.observe', fact)).toEqual({ id: 'M1', kind: 'observation' })
      expect(await must('memory.observe', fact)).toMatchObject({ id: 'M1', noChange: true })
      expect(await must('memory.observe', { ...fact, task: ['T002'] })).toEqual({
        id: 'M1',
        kind: 'observation',
      })
      expect((await must('memory.show', { id: 'M1' })).tasks).toEqual(['T001', 'T002'])
      for (const other of [{ kind: 'pattern' as const }, { source: 't' }, { text: 'x\0z is odd' }])
        expect(await must('memory.observe', { ...fact, ...other })).not.toHaveProperty('noChange')
      expect((await must('admin.log', { operation: 'memory.observe' })).entries).toHaveLength(5)
    }))

  test('[MEM-1] invalid input is refused, with all problems at once', () =>
    withProject(async ({ call }) => {
      expect(await call('memory.observe', { text: 'x', task: ['T008', 'T009'] })).toMatchObject({
        exit: 4,
        problems: [{ path: 'task' }, { path: 'task' }],
      })
      expect(await call('memory.observe', { text: ' ' })).toMatchObject({ exit: 6 })
      expect(await call('memory.observe', { text: 'ä'.repeat(8193) })).toMatchObject({ exit: 6 })
      expect(await call('memory.observe', { text: 'ä'.repeat(8192) })).toMatchObject({ ok: true })
    }))

  test('[MEM-1] any text is stored unchanged, and cut only in lists', () =>
    withProject(async ({ must }) => {
      const texts = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 900 }), 60)
      for (const given of [...texts, '\u001b]0;x\u0007', "'; DROP TABLE memory; --", '\ue000'.repeat(500)]) {
        if (given.trim() === '' || !given.isWellFormed()) continue
        const { id } = await must('memory.observe', { text: given, source: given.slice(0, 90).trim() || 's' })
        expect((await must('memory.show', { id })).text).toBe(given.trim())
      }
      const [long] = (await must('memory.find', { limit: 1 })).memories
      expect(long!.text).toBe(`${'\ue000'.repeat(400)}…`)
    }))
})
