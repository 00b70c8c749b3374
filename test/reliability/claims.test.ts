import { expect, test } from 'vitest'
import * as claims from '../../src/claims/sql/claims.ts'
import type { Answer, OperationName } from '../../src/index.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { claimRace } from './claim-race.ts'
import { lateOwnerIsRefused, staleEpochTakesNothing } from './late-owner.ts'

const lease = 15 * 60_000
/** The clock of a test project advances by 1 ms each time it is read. A test reads it far fewer times than this. */
const margin = 10_000

// This test runs the sources, because it also runs with patches of test/mutants. `npm run test:long` has the larger
// counts.
test('[SESS-3] 8 processes race for each of 50 tasks: one winner each', () =>
  claimRace({ processes: 8, tasks: 50 }))

test('[SESS-3] an agent that lost a task is refused, whatever the command', lateOwnerIsRefused)

test('[SESS-3] a task is taken only from the epoch that was read', staleEpochTakesNothing)

type Command = (project: TestProject) => Promise<Answer<OperationName>>
const inputs: { [N in OperationName]?: object } = {
  'tasks.show': { id: 'T001' },
  'tasks.list': {},
  'tasks.tree': {},
  'tasks.deps': { id: 'T002' },
  'tasks.find': { query: 'one' },
  'tasks.add': { title: 'more' },
  'tasks.note': { id: 'T001', text: 'halfway' },
  'tasks.update': { id: 'T001', title: 'uno' },
  'focus.show': {},
  'focus.note': { text: 'halfway' },
  'session.list': {},
  'session.start': {},
  'orchestrate.next': {},
  'orchestrate.ready': {},
  'admin.log': {},
}
const commands: Record<string, Command> = {
  ...Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      name,
      ({ call }: TestProject) => call(name as OperationName, input as never),
    ]),
  ),
  'a refused tasks.show': ({ call }) => call('tasks.show', { id: 'T999' }),
  'a refused tasks.complete': ({ call }) => call('tasks.complete', { id: 'T003' }),
}

/** Adds a task that ann holds and a task that depends on it. `expires` returns when her claim ends. */
const withClaim = (
  work: (project: TestProject, ann: TestProject, expires: () => Promise<number>) => Promise<void>,
) =>
  withProject(async (project) => {
    const { must, as, store } = project
    for (const depends of [[], [], ['T001']]) await must('tasks.add', { title: 'one', depends })
    await as('ann').must('focus.set', { id: 'T001' })
    const expires = async () => (await claims.holder(await store(), 'T001'))!.expires_at
    await work(project, as('ann'), expires)
  })

test.each(Object.entries(commands))(
  '[SESS-3] %s of the owner renews past half the lease, not before',
  (_, command) =>
    withClaim(async ({ clock }, ann, expires) => {
      const first = await expires()
      clock.now = first - lease / 2 - margin
      await command(ann)
      expect(await expires(), 'not before').toBe(first)
      clock.now = first - lease / 2 + margin
      await command(ann)
      expect(await expires(), 'past half').toBeGreaterThanOrEqual(first + lease / 2 + margin)
    }),
)

test('[SESS-3] only the owner renews a claim, and a dry run does not', () =>
  withClaim(async ({ clock, as }, ann, expires) => {
    const first = await expires()
    clock.now = first - margin
    await as('bob').must('tasks.list', {})
    await ann.call('tasks.note', { id: 'T001', text: 'perhaps' }, { dryRun: true })
    expect(await expires()).toBe(first)
  }))

test('[SESS-3] an expired claim that no one took still belongs to its owner', () =>
  withClaim(async ({ clock, must }, ann, expires) => {
    clock.now = (await expires()) + 10 * lease
    expect((await ann.must('focus.show', {})).claim).toMatchObject({ owner: 'ann', epoch: 1 })
    expect(await expires(), 'it lives again').toBeGreaterThan(clock.now)
    clock.now = (await expires()) + 10 * lease
    await ann.must('tasks.update', { id: 'T001', priority: 'high' })
    clock.now = (await expires()) + 10 * lease
    await ann.must('tasks.complete', { id: 'T001' })
    expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ status: 'done' })
  }))
