import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MEM-1] what was written down is found by its words, with where it comes from', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Mails' })
      const { id: session } = await must('session.start', { name: 'day one' })
      await project.as('bob', session).must('memory.observe', {
        text: 'The mail server answers 421 under load',
        task: ['t1'],
        source: 'logs/mail.txt',
      })
      await must('memory.observe', { text: 'Money is kept in cents', kind: 'decision' })
      expect(await must('memory.find', { query: 'serv load' })).toEqual({
        memories: [
          {
            id: 'M1',
            kind: 'observation',
            text: 'The mail server answers 421 under load',
            tasks: ['T001'],
            source: 'logs/mail.txt',
            by: 'bob',
            session,
            at: expect.stringMatching(/^20/),
          },
        ],
      })
      expect((await must('memory.find', { query: 'mail.txt' })).memories).toHaveLength(1)
      expect((await must('memory.show', { id: 'm2' })).kind).toBe('decision')
    }))

  test('[MEM-1] kind and task narrow it down; without words the newest come first', () =>
    withProject(async ({ must }) => {
      for (const title of ['a', 'b']) await must('tasks.add', { title })
      await must('memory.observe', { text: 'queue one', task: ['T001'] })
      await must('memory.observe', { text: 'queue two', task: ['T001', 'T002'], kind: 'learning' })
      await must('memory.observe', { text: 'queue three', kind: 'learning' })
      const ids = async (input: object) => (await must('memory.find', input)).memories.map(({ id }) => id)
      expect(await ids({})).toEqual(['M3', 'M2', 'M1'])
      expect(await ids({ task: 'T001' })).toEqual(['M2', 'M1'])
      expect((await ids({ query: 'queue', kind: 'learning' })).sort()).toEqual(['M2', 'M3'])
      expect(await ids({ query: 'queue', kind: 'learning', task: 'T002' })).toEqual(['M2'])
    }))

  test('[MEM-1] nothing found is an empty list', () =>
    withProject(async ({ call }) => {
      for (const query of ['anything', '!?', '"', '* OR *', "'"])
        expect(await call('memory.find', { query })).toMatchObject({
          ok: true,
          value: { memories: [] },
          page: { total: 0 },
        })
    }))

  test('[MEM-1] pages follow each other without gap or repeat', () =>
    withProject(async ({ must, call }) => {
      for (let n = 1; n <= 23; n++) await must('memory.observe', { text: `fact ${n}` })
      for (const query of [undefined, 'fact']) {
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await call('memory.find', { query, limit: 5, after })
          if (!page.ok) throw new Error(page.message)
          seen.push(...page.value.memories.map(({ id }) => id))
          after = page.page?.next
        } while (after)
        expect(new Set(seen).size).toBe(23)
        expect(seen).toHaveLength(23)
      }
      expect(await call('memory.find', { after: 'x' })).toMatchObject({ exit: 6 })
    }))

  test('[MEM-1] an exact repeat changes nothing; a new task is linked to what is there', () =>
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

  test('[MEM-1] what does not fit is refused, all of it at once', () =>
    withProject(async ({ call }) => {
      expect(await call('memory.observe', { text: 'x', task: ['T008', 'T009'] })).toMatchObject({
        exit: 4,
        problems: [{ path: 'task' }, { path: 'task' }],
      })
      expect(await call('memory.observe', { text: ' ' })).toMatchObject({ exit: 6 })
      expect(await call('memory.observe', { text: 'ä'.repeat(8193) })).toMatchObject({ exit: 6 })
      expect(await call('memory.observe', { text: 'ä'.repeat(8192) })).toMatchObject({ ok: true })
      expect(await call('memory.show', { id: 'M9' })).toMatchObject({ code: 'memory.not_found', exit: 4 })
      expect(await call('memory.show', { id: 'M0' })).toMatchObject({ exit: 6 })
    }))

  test('[MEM-1] any text comes out as it went in, long ones shortened in lists', () =>
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
