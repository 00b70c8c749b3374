import { expect, test } from 'vitest'
import { plantTasks } from '../support/counted.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('find matches beginnings of words in title and description, titles first', () =>
    withProject(async ({ call, must }) => {
      await must('tasks.add', { title: 'Mail queue', description: 'resets the password' })
      await must('tasks.add', { title: 'Password form' })
      await must('tasks.add', { title: 'Other' })
      const found = await call('tasks.find', { query: 'passw' })
      expect(found).toMatchObject({
        value: { tasks: [{ id: 'T002' }, { id: 'T001' }] },
        page: { total: 2 },
      })
      await must('tasks.update', { id: 'T002', title: 'Sign-in form' })
      expect((await must('tasks.find', { query: 'password' })).tasks).toMatchObject([{ id: 'T001' }])
      expect((await must('tasks.find', { query: '"\' OR *' })).tasks).toEqual([])
    }))

  test('find --exact matches only a whole title or an id', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Mail' })
      await must('tasks.add', { title: 'Mail queue' })
      expect((await must('tasks.find', { query: 'Mail', exact: true })).tasks).toMatchObject([{ id: 'T001' }])
      expect((await must('tasks.find', { query: 't2', exact: true })).tasks).toMatchObject([{ id: 'T002' }])
      // Scripts of the old protocol check `results.length > 0`.
      const { tasks, results } = await must('tasks.find', { query: 'Mail', exact: true })
      expect(results).toEqual(tasks)
      expect((await must('tasks.find', { query: 'None', exact: true })).results).toEqual([])
      expect(await must('tasks.find', { query: 'Mail' })).not.toHaveProperty('results')
    }))

  test('find pages by `next` and refuses another cursor', () =>
    withProject(async ({ call, must }) => {
      for (const n of [1, 2, 3]) await must('tasks.add', { title: `Mail ${n}` })
      const first = await call('tasks.find', { query: 'mail', limit: 2 })
      expect(first).toMatchObject({ page: { total: 3, next: '2' } })
      const rest = await call('tasks.find', { query: 'mail', limit: 2, after: '2' })
      expect(rest).toMatchObject({ ok: true, value: { tasks: [{ id: expect.any(String) }] } })
      expect(await call('tasks.find', { query: 'mail', after: 'T001' })).toMatchObject({
        code: 'input.invalid',
      })
    }))
})

const many = 4100

onEveryStore((withProject) => {
  test('a word of very many tasks is found as a whole word, newest first, on as many pages as needed', () =>
    withProject(async ({ call, store }) => {
      await plantTasks(await store(), many, "CASE n % 50 WHEN 0 THEN 'planning ' ELSE 'plan ' END || n")
      const ids: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await call('tasks.find', { query: 'plan', limit: 1000, ...(after && { after }) })
        if (!page.ok) throw new Error(page.message)
        ids.push(...page.value.tasks.map(({ id }) => id))
        after = page.page!.next
        if (after === undefined) break
      }
      const expected = Array.from({ length: many }, (_, i) => many - i).filter((n) => n % 50 !== 0)
      expect(expected).toHaveLength(4018)
      expect(ids).toEqual(expected.map((n) => `T${String(n).padStart(3, '0')}`))
    }))

  test('a search for common words warns that it is neither ranked nor fully counted', () =>
    withProject(async ({ call, store }) => {
      await plantTasks(await store(), many, "'plan task ' || n")
      expect(await call('tasks.find', { query: 'plan tas', limit: 2 })).toMatchObject({
        value: { tasks: [{ id: 'T4100' }, { id: 'T4099' }] },
        page: { total: 1000, atLeast: true, next: 'T4099' },
        warnings: [
          'Matched only as whole words, because they are in more than 4000 tasks each: "plan".',
          'Too many tasks match to rank them, so the newest come first. Add a word to narrow the search.',
        ],
      })
      const wrong = await call('tasks.find', { query: 'plan', after: '20' })
      expect(wrong).toMatchObject({ code: 'input.invalid' })
    }))

  test('rare words beside a common one decide the order, and the total is exact', () =>
    withProject(async ({ call, store }) => {
      await plantTasks(
        await store(),
        many,
        "'plan ' || CASE WHEN n % 1000 = 7 THEN 'zebra' WHEN n % 1000 = 8 THEN 'zebra and many more words' ELSE n || '' END",
      )
      const found = await call('tasks.find', { query: 'zebr plan', limit: 6 })
      expect(found).toMatchObject({ page: { total: 10, limit: 6, next: '6' } })
      expect(found.ok && found.value.tasks.map(({ id }) => id)).toEqual([
        ...['T007', 'T1007', 'T2007', 'T3007', 'T4007', 'T008'],
      ])
      const rest = await call('tasks.find', { query: 'zebr plan', limit: 6, after: '6' })
      expect(rest.ok && rest.value.tasks.map(({ id }) => id)).toEqual(['T1008', 'T2008', 'T3008', 'T4008'])
      expect(await call('tasks.find', { query: 'plan zebras' })).toMatchObject({ page: { total: 0 } })
    }))
})
