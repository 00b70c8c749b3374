import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MEM-1] a memory is found by its words, with its source', () =>
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

  test('[MEM-1] kind and task filter; without words the newest come first', () =>
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

  test('[MEM-1] a query without matches returns an empty list', () =>
    withProject(async ({ call }) => {
      for (const query of ['anything', '!?', '"', '* OR *', "'"])
        expect(await call('memory.find', { query })).toMatchObject({
          ok: true,
          value: { memories: [] },
          page: { total: 0 },
        })
    }))

  test('[MEM-1] pages follow each other without gaps or repeats', () =>
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
})
