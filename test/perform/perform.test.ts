import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import type { Db, Param, Store } from '../../src/store/port.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

type Event = () => Promise<unknown>

/** Returns a store that works like the given one, but lets `event` happen after its first read. */
const interrupted = (store: Store, event: Event): Store => {
  let happened = false
  const after = async <T>(read: Promise<T>): Promise<T> => {
    const rows = await read
    if (happened) return rows
    happened = true
    await event()
    return rows
  }
  const over = <D extends Db>(db: D): D => ({
    ...db,
    get: (sql: string, ...params: Param[]) => after(db.get(sql, ...params)),
    all: (sql: string, ...params: Param[]) => after(db.all(sql, ...params)),
  })
  return { ...over(store), snapshot: (work) => store.snapshot((snapshot) => work(over(snapshot))) }
}

/** Runs a query, with an event between its first read and its second. */
const query = async (project: TestProject, name: string, input: object, event: Event) => {
  const store = interrupted(await project.store(), event)
  const connection = {
    host: nodeHost(),
    project: async () => ({ root: project.root, folder: `${project.root}/.cleo`, config: {}, written: {} }),
    folder: async () => `${project.root}/.cleo`,
    untrusted: () => undefined,
    store: async () => store,
    opened: () => undefined,
    close: async () => undefined,
  }
  const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
  return perform((await load(name))!, input, connection, caller)
}

onEveryStore((withProject, store) => {
  test(`[PROJ-10] a query sees one state while another process commits, on ${store}`, () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'first', labels: ['old'] })
      const another = project.afresh()
      const change = () => another.must('tasks.update', { id: 'T001', title: 'second', addLabels: ['new'] })
      expect(await query(project, 'tasks.show', { id: 'T001' }, change), 'what show reads').toMatchObject({
        ok: true,
        value: { title: 'first', labels: ['old'] },
      })
      const done = () => another.must('tasks.complete', { id: 'T001' })
      expect(await query(project, 'orchestrate.status', {}, done), 'what status reads').toMatchObject({
        ok: true,
        value: { next: 'T001', counts: { pending: 1 } },
      })
      // Each query sees its own state, not the state that an earlier query saw.
      expect(await project.must('tasks.show', { id: 'T001' })).toMatchObject({
        title: 'second',
        labels: ['old', 'new'],
        status: 'done',
      })
    }))

  test(`[PROJ-10] queries and changes on one connection wait for each other, on ${store}`, () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'name-0', labels: ['name-0'] })
      const rename = (n: number) =>
        project.must('tasks.update', { id: 'T001', title: `name-${n}`, addLabels: [`name-${n}`] })
      const show = () => project.must('tasks.show', { id: 'T001' })
      const shown = await Promise.all([1, 2, 3, 4].flatMap((n) => [rename(n).then(show), show()]))
      expect(shown.map(({ labels }) => labels!.at(-1))).toEqual(shown.map(({ title }) => title))
    }))

  test(`[PROJ-10] a query renews its caller's claim after its reads, on ${store}`, () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'first' })
      await project.must('focus.set', { id: 'T001' })
      const before = (await project.must('tasks.show', { id: 'T001' })).claim!.expires
      await project.pass(10 * 60_000)
      await project.must('orchestrate.status', {})
      expect((await project.must('tasks.show', { id: 'T001' })).claim!.expires > before).toBe(true)
    }))
})

test('a spawn cannot act under another name than the one in CLEO_AGENT_ID', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'first' })
    const inSpawn = project.afresh({ CLEO_AGENT_ID: 't2.01' })
    expect(await inSpawn.as('bob').call('tasks.show', { id: 'T001' })).toMatchObject({
      ok: false,
      code: 'actor.foreign',
      exit: 64,
      message: 'CLEO_AGENT_ID is T002.1, so this command cannot act as bob.',
    })
    expect(await inSpawn.as('T002.1').call('tasks.show', { id: 'T001' })).toMatchObject({ ok: true })
    const named = project.afresh({ CLEO_AGENT_ID: 'worker' })
    expect(await named.as('bob').call('tasks.show', { id: 'T001' }), 'not a spawn').toMatchObject({
      ok: true,
    })
  }))

test.each([
  'CLAUDECODE',
  'AI_AGENT',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'OPENCODE',
  'COPILOT_AGENT_SESSION_ID',
  'QWEN_CODE',
  'CURSOR_AGENT',
])('[TOK-9] person-only operations are refused in a client that sets %s', (variable) =>
  withProject(async (project) => {
    const inClient = project.afresh({ [variable]: '1' })
    expect(await inClient.call('admin.untrust', {})).toMatchObject({
      ok: false,
      code: 'person.needed',
      exit: 64,
      message: `Only a person may run admin.untrust; this command runs inside an agent client (${variable} is set).`,
      alternatives: [expect.stringMatching(/outside the agent client|cleo inbox/)],
    })
    expect(await inClient.call('admin.trust.status', {}), 'anyone may look').toMatchObject({ ok: true })
    expect(await project.afresh({ [variable]: '' }).call('admin.untrust', {})).toMatchObject({ ok: true })
  }),
)

describe('[TOK-9] people.allowClients lets a person run person-only operations inside agent clients', () => {
  const inClients = async (allowClients: unknown, env: Record<string, string>) =>
    withProject(async (project) => {
      const folder = join(project.root, '.home', '.cleo')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'config.json'), JSON.stringify({ people: { allowClients } }))
      return project.afresh(env).call('admin.untrust', {})
    })
  const refused = { ok: false, exit: 64 }

  test.each<[unknown, Record<string, string>, object]>([
    [true, { CLAUDECODE: '1' }, { ok: true }],
    [true, { AI_AGENT: 'x', CODEX_THREAD_ID: '1' }, { ok: true }],
    [false, { CLAUDECODE: '1' }, refused],
    [[], { CLAUDECODE: '1' }, refused],
    [['claude'], { CLAUDECODE: '1' }, { ok: true }],
    [['claude'], { CLAUDECODE: '1', AI_AGENT: 'claude' }, { ok: true }],
    [['claude'], { AI_AGENT: 'claude' }, refused],
    [['other'], { AI_AGENT: 'claude' }, { ok: true }],
    [['claude'], { CODEX_THREAD_ID: '1' }, refused],
    [['claude'], { CLAUDECODE: '1', CODEX_THREAD_ID: '1' }, refused],
    [['codex', 'claude'], { CLAUDECODE: '1', CODEX_THREAD_ID: '1' }, { ok: true }],
    [['claud'], { CLAUDECODE: '1' }, { ok: false, exit: 8, code: 'config.invalid' }],
    ['yes', { CLAUDECODE: '1' }, { ok: false, exit: 8 }],
  ])('%j in %j', async (allowed, env, expected) => {
    expect(await inClients(allowed, env)).toMatchObject(expected)
  })

  test('the refusal names the client that is not allowed', async () => {
    expect(await inClients(['claude'], { CLAUDECODE: '1', GEMINI_CLI: '1' })).toMatchObject({
      message: expect.stringContaining('GEMINI_CLI is set'),
    })
  })

  test('an agent stays an agent, and a project cannot allow clients', () =>
    withProject(async (project) => {
      await project.must('admin.config.set', { key: 'people.allowClients', value: 'true' })
      const spawned = project.afresh({ CLAUDECODE: '1' }).as('T001.1')
      expect(await spawned.call('admin.untrust', {})).toMatchObject(refused)
      await project.must('admin.config.unset', { key: 'people.allowClients' })
      const own = join(project.root, '.cleo', 'config.json')
      writeFileSync(own, '{"people": {"allowClients": true}}')
      const inClient = project.afresh({ CLAUDECODE: '1' })
      expect(await inClient.call('admin.untrust', {})).toMatchObject(refused)
    }))
})
