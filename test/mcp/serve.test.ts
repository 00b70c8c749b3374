import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { executable, node, runtimes } from '../support/cleo.ts'
import { cleo, startClient, withServer } from '../support/mcp-client.ts'
import { isOver, until } from '../support/processes.ts'
import { withTemp } from '../support/temp.ts'

const titles = (root: string): string[] =>
  (JSON.parse(cleo(root, ['list', '--limit', '1000'])).data.tasks as { title: string }[]).map(
    ({ title }) => title,
  )

describe.each(runtimes)('[OPS-3] in $name', (runtime) => {
  test('query and mutate reach every operation, with the answers of the command line', () =>
    withServer(
      async (client, root) => {
        const call = (tool: string, domain: string, operation: string, params?: object) =>
          client.tool(tool, { domain, operation, ...(params && { params }) })
        const help = await call('query', 'admin', 'help')
        expect(help.data).toMatchObject({ tier: 0 })
        const all = await call('query', 'admin', 'help', { tier: 2 })
        expect(all.data?.['operations']).toHaveProperty(
          'length',
          expect.toSatisfy((count: number) => count > 80),
        )
        expect((await call('mutate', 'tasks', 'add', { title: 'Sign-up form' })).data).toMatchObject({
          id: 'T001',
        })
        const found = await call('query', 'tasks', 'find', { query: 'form' })
        expect(found).toMatchObject({ data: { tasks: [{ id: 'T001' }] }, page: { total: 1 }, isError: false })
        expect(found.text).toContain('Sign-up form')
        const shown = await client.tool('show', { id: '1' })
        expect(shown.data).toEqual(JSON.parse(cleo(root, ['show', 'T001'])).data)
        expect((await call('query', 'pipeline.manifest', 'list')).data).toMatchObject({ entries: [] })
        expect((await call('query', 'pipeline', 'manifest.list')).data).toMatchObject({ entries: [] })
        const dry = await call('mutate', 'tasks', 'add', { title: 'Not kept', dryRun: true })
        expect(dry.isError).toBe(false)
        expect(titles(root)).toEqual(['Sign-up form'])
      },
      { runtime },
    ))

  test('a refusal has code, message and fix, and every problem of the input at once', () =>
    withServer(
      async (client) => {
        const missing = await client.tool('show', { id: 'T999' })
        expect(missing).toMatchObject({ isError: true, error: { code: 'task.not_found', exit: 4 } })
        expect(missing.text).toContain('fix: cleo ')
        const wrong = await client.tool('add', {
          title: 5,
          priority: 'huge',
          depends: 'T001',
          colour: 'red',
          as: 7,
        })
        expect(wrong.error?.problems).toEqual([{ path: 'as', message: 'must be a string' }])
        const problems = (await client.tool('add', { title: 5, priority: 'huge', labels: {}, colour: 'red' }))
          .error?.problems
        expect(problems?.map(({ path }) => path).sort()).toEqual(['colour', 'labels', 'priority', 'title'])
        const general = await client.tool('query', { domain: 5, operatoin: 'show', params: [] })
        expect(general.error?.problems?.map(({ path }) => path)).toContain('domain')
        expect(JSON.stringify(general.error?.problems)).toContain('did you mean \\"operation\\"?')
        const near = async (domain: string, operation: string, tool = 'query') =>
          (await client.tool(tool, { domain, operation })).error
        expect(await near('task', 'show')).toMatchObject({
          code: 'operation.unknown',
          message: 'There is no operation "task.show". Did you mean tasks.show?',
          fix: 'cleo admin help --tier 2',
        })
        expect((await near('tasks', 'constructor'))?.code).toBe('operation.unknown')
        expect((await near('tasks', 'add'))?.message).toContain('call the tool "mutate"')
        expect((await near('tasks', 'show', 'mutate'))?.message).toContain('call the tool "query"')
        const { error } = await client.request('tools/call', { name: 'shw', arguments: {} })
        expect(error?.message).toContain('There is no tool "shw". Tools: find, next')
      },
      { runtime },
    ))

  test('large params are refused by the operation, a line over the limit by the server, which goes on', () =>
    withServer(
      async (client) => {
        const large = await client.tool('add', { title: 'Large', description: 'x'.repeat(10 << 20) })
        expect(large.error?.code).toBe('input.invalid')
        const deep = '['.repeat(200_000) + ']'.repeat(200_000)
        client.write(
          `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"add","arguments":{"title":${deep}}}}`,
        )
        const over = client.request('tools/call', { name: 'add', arguments: { title: 'y'.repeat(65 << 20) } })
        expect((await over).error?.message).toMatch(
          /^The message has 681\d{5} bytes; the limit is 67108864\.$/,
        )
        expect((await client.tool('query', { domain: 'tasks', operation: 'list' })).data).toMatchObject({
          tasks: [],
        })
        expect(client.received.find(({ id }) => id === 'deep')?.['error']).toMatchObject({ code: -32600 })
      },
      { runtime },
    ))

  test('what is not a message is answered with an error, and the server goes on', () =>
    withServer(
      async (client) => {
        for (const line of [
          'not json',
          '',
          '   ',
          '[]',
          '{}',
          'null',
          '{"jsonrpc":"1.0","id":7,"method":"ping"}',
          '\u0000',
        ])
          client.write(line)
        expect((await client.request('ping')).result).toEqual({})
        const errors = client.received.filter(({ error }) => error)
        expect(errors.map(({ id }) => id)).toEqual([null, null, null, null, 7, null])
        const unknown = await client.request('resources/list')
        expect(unknown.error?.code).toBe(-32601)
      },
      { runtime },
    ))

  test('without a project the server starts, each call says so, and a new project is found', () =>
    withTemp(async (cwd) => {
      const client = startClient({ cwd, runtime })
      await client.initialize()
      expect((await client.request('tools/list')).result).toBeDefined()
      expect((await client.tool('next')).error).toMatchObject({ code: 'project.missing', fix: 'cleo init' })
      expect((await client.tool('query', { domain: 'admin', operation: 'version' })).isError).toBe(false)
      cleo(cwd, ['init'])
      expect((await client.tool('next')).isError).toBe(false)
      expect(await client.close()).toBe(0)
    }))

  test('a project that was moved is followed, and one that was removed is reported', () =>
    withTemp(async (folder) => {
      const [old, moved] = [join(folder, 'old'), join(folder, 'new')]
      mkdirSync(old)
      cleo(old, ['init'])
      cleo(old, ['add', 'Before'])
      const client = startClient({ cwd: old, runtime })
      await client.initialize()
      expect((await client.tool('show', { id: 'T001' })).data).toMatchObject({ title: 'Before' })
      renameSync(old, moved)
      expect((await client.tool('add', { title: 'After' })).data).toMatchObject({ id: 'T002' })
      expect(titles(moved)).toEqual(['Before', 'After'])
      rmSync(join(moved, '.cleo'), { recursive: true })
      expect((await client.tool('add', { title: 'Nowhere' })).error?.code).toMatch(
        /^(project|store)\.missing$/,
      )
      await client.close()
    }))

  test('a change of the configuration or of the database counts at once', () =>
    withServer(
      async (client, root) => {
        cleo(root, ['add', 'Plan', '--description', 'All of it.'])
        expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
        writeFileSync(join(root, '.cleo', 'config.json'), '{ "clams": {} }\n')
        expect((await client.tool('show', { id: 'T001' })).error?.code).toBe('config.invalid')
        writeFileSync(join(root, '.cleo', 'config.json'), '{}\n')
        expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
        // A newer CLEO migrates the database while the server runs.
        const database = new DatabaseSync(join(root, '.cleo', 'cleo.db'))
        database.exec('PRAGMA user_version = 999')
        database.close()
        expect((await client.tool('show', { id: 'T001' })).error?.code).toBe('store.newer')
      },
      { runtime },
    ))
})

test('[OPS-3] calls before initialize and protocol versions of other years are served', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    const early = startClient({ cwd })
    expect((await early.tool('next')).isError).toBe(false)
    expect(await early.close()).toBe(0)
    for (const [asked, given] of [
      ['2027-11-25', '2025-11-25'],
      ['2024-11-05', '2024-11-05'],
      ['nonsense', '2025-11-25'],
    ] as const) {
      const client = startClient({ cwd })
      expect((await client.initialize('test', asked)).result).toMatchObject({ protocolVersion: given })
      expect((await client.tool('next')).isError).toBe(false)
      await client.close()
    }
  }))

test('[OPS-3] the protocol of 2026-07-28, which has no handshake, is served; a later one is named as unsupported', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    const meta = (version: string) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'codex', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    })
    const later = startClient({ cwd })
    const { error } = await later.request('tools/list', { _meta: meta('2027-07-28') })
    expect(JSON.stringify(error)).toContain('2026-07-28')
    expect((await later.tool('next', {}, meta('2026-07-28'))).isError).toBe(false)
    const trust = { domain: 'admin', operation: 'trust', params: {} }
    expect((await later.tool('mutate', trust, meta('2026-07-28'))).error?.message).toContain(
      'CODEX_THREAD_ID',
    )
    await later.close()
  }))

test('[OPS-3] a cancelled call gets no answer, its command is ended, and others go on', () =>
  withServer(async (client, root) => {
    const pids = join(root, 'pids')
    writeFileSync(join(root, 'tests.sh'), `sleep 60 & echo $$ $! > ${pids}; wait; echo "1 passed"\n`)
    cleo(root, ['config', 'set', 'commands.test', 'sh tests.sh'])
    cleo(root, ['config', 'set', 'mcp.runCommands', 'true'])
    cleo(root, ['add', 'Step'])
    const params = { id: 'T001', gate: 'testsPassed', evidence: 'tool:test' }
    client.write(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'slow',
        method: 'tools/call',
        params: { name: 'verify_gate', arguments: params },
      }),
    )
    await until(() => existsSync(pids) && /^\d+ \d+\n$/.test(readFileSync(pids, 'utf8')))
    client.notify('notifications/cancelled', { requestId: 'slow', reason: 'no longer needed' })
    client.notify('notifications/cancelled', { requestId: 'never sent' })
    expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
    const group = readFileSync(pids, 'utf8').trim().split(' ')
    await until(() => group.every((pid) => isOver(Number(pid))))
    const gates = await client.tool('verify', { id: 'T001' })
    expect(gates.data?.['gates'], 'nothing is recorded').toContainEqual(
      expect.objectContaining({ gate: 'testsPassed', state: 'unset' }),
    )
    expect(client.received.filter(({ id }) => id === 'slow')).toEqual([])
  }))

test('[OPS-3] requests that arrive just before the client closes its end are answered', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    const client = startClient({ cwd })
    const answers = ['One', 'Two', 'Three'].map((title) => client.tool('add', { title }))
    const closed = client.close()
    expect((await Promise.all(answers)).map(({ data }) => data?.['title'])).toEqual(['One', 'Two', 'Three'])
    expect(await closed).toBe(0)
  }))

test('[OPS-3] a client that dies in the middle of writes leaves a sound project and no server behind', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    for (let round = 0; round < 5; round++) {
      const client = startClient({ cwd })
      await client.initialize()
      for (let i = 0; i < 40; i++) void client.tool('add', { title: `Task ${round}.${i}` })
      // Both pipes close at once, as when the process of the client ends.
      await pause(round * 5)
      const exited = new Promise((resolve) => client.child.on('exit', resolve))
      client.child.stdout.destroy()
      client.child.stdin.destroy()
      expect(await exited).toBe(0)
    }
    const found = titles(cwd)
    expect(new Set(found).size).toBe(found.length)
    cleo(cwd, ['doctor'])
  }))

test.each([executable, node])('[OPS-3] $name may be replaced or removed while its server runs', (runtime) =>
  withTemp(async (cwd) => {
    const copy = mkdtempSync(join(tmpdir(), 'cleo-copy-'))
    try {
      cleo(cwd, ['init'])
      cleo(cwd, ['add', 'Step', '--description', 'Do it.'])
      cpSync(join('dist'), copy, { recursive: true })
      writeFileSync(join(copy, 'package.json'), '{ "type": "module" }')
      symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
      const [program, ...rest] = runtime.command
      const command: [string, ...string[]] =
        runtime === executable ? [join(copy, 'cleo')] : [program, ...rest.map(() => join(copy, 'cli.js'))]
      const client = startClient({ cwd, runtime: { ...runtime, command } })
      await client.initialize()
      expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
      rmSync(copy, { recursive: true })
      expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
      const answer = await client.tool('query', {
        domain: 'orchestrate',
        operation: 'analyze',
        params: { epic: 'T001' },
      })
      // The executable has all of its code in memory. Node loads parts of the code only when they are first needed,
      // so the server on Node refuses.
      if (runtime === executable) expect(answer.isError).toBe(false)
      else expect(answer.error?.code).toBe('program.replaced')
      expect((await client.tool('show', { id: 'T001' })).isError).toBe(false)
      expect(await client.close()).toBe(0)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }),
)

test('[OPS-3] the prompt of the orchestrator has the rules and the state; a wrong epic is refused with its fix', () =>
  withServer(async (client, root) => {
    cleo(root, ['add', 'Plan', '--type', 'epic'])
    cleo(root, ['add', 'Step', '--parent', 'T001', '--description', 'Do it.'])
    const get = (params: object) => client.request('prompts/get', { name: 'orchestrator', ...params })
    const text = JSON.stringify((await get({ arguments: { epic: 'T001' } })).result)
    expect(text).toContain('ORC-001')
    expect(text).toContain('T002')
    expect((await get({ arguments: { epic: 'T009' } })).error?.message).toContain('T009')
    expect((await client.request('prompts/get', { name: 'other' })).error?.message).toContain(
      'no prompt "other"',
    )
  }))
