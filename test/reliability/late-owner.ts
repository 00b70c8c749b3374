import { expect } from 'vitest'
import * as claims from '../../src/claims/sql/claims.ts'
import type { Store } from '../../src/store/port.ts'
import { type TestProject, withProject } from '../support/project.ts'

const lease = 15 * 60_000

interface People {
  /** The agent that held the task first. */
  former: TestProject
  /** The agent that has taken the task since. */
  taker: TestProject
  person: TestProject
  clock: { now: number }
}

/** How a task passes to the next owner although the first one did not give it back. */
const takings: Record<string, (people: People) => Promise<unknown>> = {
  'its lease ran out': async ({ clock }) => {
    clock.now += lease
  },
  'somebody blocked and unblocked it': async ({ person }) => {
    await person.must('tasks.block', { id: 'T001', reason: 'a question' })
    await person.must('tasks.unblock', { id: 'T001' })
  },
  'somebody cancelled and reopened it': async ({ person }) => {
    await person.must('tasks.cancel', { id: 'T001', reason: 'not now' })
    await person.must('tasks.reopen', { id: 'T001', reason: 'now' })
  },
  'somebody finished and reopened it': async ({ person, clock }) => {
    clock.now += lease
    await person.must('tasks.complete', { id: 'T001' })
    await person.must('tasks.reopen', { id: 'T001', reason: 'not quite' })
  },
}

/** What the new owner has done with the task before the former owner comes back. */
const endings: Record<string, (people: People) => Promise<unknown>> = {
  'is at work on it': async () => undefined,
  'has let its lease run out too': async ({ clock }) => {
    clock.now += lease
  },
  'has blocked it': ({ taker }) => taker.must('tasks.block', { id: 'T001', reason: 'stuck' }),
  'has finished it': ({ taker }) => taker.must('tasks.complete', { id: 'T001' }),
  'has cancelled it': ({ taker }) => taker.must('tasks.cancel', { id: 'T001', reason: 'no use' }),
  'has given it back': ({ taker }) => taker.must('focus.clear', {}),
}

type Verb = (project: TestProject, dryRun: boolean) => ReturnType<TestProject['call']>
const verbs: Record<string, Verb> = {
  note: ({ call }, dryRun) => call('tasks.note', { id: 'T001', text: 'late' }, { dryRun }),
  update: ({ call }, dryRun) => call('tasks.update', { id: 'T001', title: 'late' }, { dryRun }),
  complete: ({ call }, dryRun) => call('tasks.complete', { id: 'T001' }, { dryRun }),
  block: ({ call }, dryRun) => call('tasks.block', { id: 'T001', reason: 'late' }, { dryRun }),
  unblock: ({ call }, dryRun) => call('tasks.unblock', { id: 'T001' }, { dryRun }),
  cancel: ({ call }, dryRun) => call('tasks.cancel', { id: 'T001', reason: 'late' }, { dryRun }),
  reopen: ({ call }, dryRun) => call('tasks.reopen', { id: 'T001', reason: 'late' }, { dryRun }),
  'focus note': ({ call }, dryRun) => call('focus.note', { text: 'late' }, { dryRun }),
  'focus clear': ({ call }, dryRun) => call('focus.clear', { id: 'T001' }, { dryRun }),
  'focus set': ({ call }, dryRun) => call('focus.set', { id: 'T001' }, { dryRun }),
}

/**
 * Checks that an agent that lost a task can only claim it again. It is refused everything else that others can do
 * to the task now.
 */
export const lateOwnerIsRefused = async (): Promise<void> => {
  let refused = 0
  for (const [taking, lose] of Object.entries(takings)) {
    for (const [ending, end] of Object.entries(endings)) {
      refused += await withProject(async (project) => {
        const { as, must, clock } = project
        await must('tasks.add', { title: 'one' })
        const people = { former: as('ann'), taker: as('bob'), person: project, clock }
        await people.former.must('focus.set', { id: 'T001' })
        await lose(people)
        await people.taker.must('focus.set', { id: 'T001' })
        await end(people)
        return tryAll(people, `ann had it, ${taking}, bob ${ending}`)
      })
    }
  }
  console.log(`late owners: ${refused} verbs refused with 35`)
}

const tryAll = async ({ former, person }: People, story: string): Promise<number> => {
  const store = await person.store()
  let refused = 0
  for (const [verb, perform] of Object.entries(verbs)) {
    const stranger = await perform(person, true)
    const before = await everything(store)
    const answer = await perform(former, verb === 'focus set')
    const exit = answer.ok ? 0 : answer.exit
    // The former owner may claim the task again if anyone may.
    if (verb === 'focus set' && stranger.ok) expect({ story, exit }).toEqual({ story, exit: 0 })
    else if (verb.startsWith('focus ')) expect([35, 38, 6], `${story}: ${verb}`).toContain(exit)
    else if (stranger.ok && !(stranger.value as { noChange?: true }).noChange)
      expect(exit, `${story}: ${verb} is refused with 35`).toBe(35)
    else if (answer.ok) expect(answer.value, `${story}: ${verb}`).toHaveProperty('noChange', true)
    expect(await everything(store), `${story}: ${verb} leaves everything as it was`).toEqual(before)
    if (exit === 35) refused++
  }
  return refused
}

const tables = ['tasks', 'depends', 'notes', 'claims', 'focus', 'audit', 'counters']
const everything = async (store: Store) =>
  Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await store.all(`SELECT * FROM ${table}`)])),
  )

/** Checks that the epoch alone keeps two agents from taking the same task. */
export const staleEpochTakesNothing = (): Promise<void> =>
  withProject(async ({ must, as, store }) => {
    await must('tasks.add', { title: 'one' })
    await as('ann').must('focus.set', { id: 'T001' })
    const db = await store()
    const stale = { task: 'T001', owner: 'bob', seen: 0, expires: 1 }
    expect(await claims.take(db, stale), 'a stale epoch takes nothing').toBeUndefined()
    expect(await claims.holder(db, 'T001')).toMatchObject({ owner: 'ann', epoch: 1, state: 'held' })
    expect(await claims.take(db, { ...stale, seen: 1 })).toBe(2)
  })
