import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noteToolCall, writeRecord } from '../../src/client-hooks/agent-record.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { originOf } from '../../src/mcp/caller.ts'
import { cleo, type McpClient, startClient, withServer } from '../support/mcp-client.ts'
import { withTemp } from '../support/temp.ts'

const logged = async (client: McpClient, task: string) => {
  const { data } = await client.tool('query', { domain: 'admin', operation: 'log', params: { task } })
  return data?.['entries'] as { actor: string; operation: string }[]
}

test('[OPS-3] the metadata of a call says which client, thread and use of a tool it comes from', () => {
  expect(originOf({ 'claudecode/toolUseId': 'toolu_fake_1', progressToken: 2 }, 'claude-code')).toEqual({
    client: 'claude',
    toolUse: 'toolu_fake_1',
  })
  const codex = { client: 'codex', thread: '019a' }
  expect(originOf({ 'x-codex-turn-metadata': { thread_id: '019a' } }, 'codex-mcp-client')).toEqual(codex)
  expect(originOf({ 'x-codex-turn-metadata': '{"thread_id":"019a"}' }, undefined)).toEqual(codex)
  expect(originOf(undefined, 'gemini-cli-mcp-client')).toEqual({ client: 'gemini' })
  expect(originOf(null, 'opencode')).toEqual({ client: 'opencode' })
  for (const meta of [undefined, 5, 'x', '{', [], { 'x-codex-turn-metadata': { thread_id: 7 } }])
    expect(originOf(meta, 'my client')).toEqual({ client: 'other' })
})

test('[OPS-3] [SESS-3] one server keeps the identities of many agents apart', () =>
  withServer(async (client, root) => {
    cleo(root, ['add', 'Plan', '--type', 'epic', '--description', 'All of it.'])
    for (const title of ['Research one way', 'Research another way'])
      cleo(root, ['add', title, '--parent', 'T001', '--description', 'Which one, and why?'])
    cleo(root, ['spawn', 'T002', '--ref'])
    cleo(root, ['spawn', 'T003', '--ref'])
    await Promise.all([
      client.tool('focus_set', { id: 'T002', as: 'T002.1' }),
      client.tool('focus_set', { id: 'T003', as: 't3.1' }),
    ])
    const refused = await client.tool('complete', { id: 'T003', as: 'T002.1' })
    expect(refused.error?.exit).toBe(35)
    await client.tool('note', { id: 'T002', text: 'Mine.', as: 'T002.1' })
    expect((await logged(client, 'T002'))[0]).toMatchObject({ actor: 'T002.1', operation: 'tasks.note' })
    expect((await logged(client, 'T003'))[0]).toMatchObject({ actor: 'T003.1' })
    // The refusal names a forgotten `as`, as on the command line.
    const forgot = await client.tool('complete', { id: 'T002' })
    expect(forgot.text).toContain('If you are T002.1, add --as T002.1.')
    expect(forgot.error?.fix).toBe('cleo complete T002 --as T002.1')
    // A spawn may not do what only an orchestrator may do.
    const params = { id: 'T001', as: 'T002.1' }
    const started = await client.tool('mutate', { domain: 'lifecycle', operation: 'start', params })
    expect(started.error?.code).toBe('orchestrator.needed')
  }))

test('[OPS-3] [TOK-9] person-only operations are refused to every client, and asked of a person', () =>
  withServer(
    async (client, root) => {
      for (const [domain, operation, params] of [
        ['admin', 'trust', {}],
        ['admin', 'untrust', {}],
        ['admin', 'restore', {}],
        ['admin', 'config.set', { key: 'stages', value: 'false' }],
        ['verify', 'waive', { id: 'T001', gate: 'testsPassed', reason: 'Because.' }],
        ['inbox', 'answer', { id: 'Q1', yes: true }],
      ] as const) {
        const { error } = await client.tool('mutate', { domain, operation, params })
        expect(error, `${domain}.${operation}`).toMatchObject({ code: 'person.needed', exit: 64 })
      }
      const asked = JSON.parse(cleo(root, ['inbox'])).data
      expect(JSON.stringify(asked)).toContain('cleo config set stages false')
      // The user's own setting decides who counts as a person, even for a client that CLEO does not know.
      mkdirSync(join(root, '.home', '.cleo'), { recursive: true })
      writeFileSync(join(root, '.home', '.cleo', 'config.json'), '{"people":{"allowClients":true}}\n')
      const set = { domain: 'admin', operation: 'config.set', params: { key: 'stages', value: 'false' } }
      expect((await client.tool('mutate', set)).data).toMatchObject({ key: 'stages', value: false })
    },
    { name: 'some client' },
  ))

test('[OPS-3] [SESS-5] two threads of Codex are two orchestrators', () =>
  withServer(
    async (client, root) => {
      cleo(root, ['config', 'set', 'mcp.runCommands', 'true'])
      cleo(root, ['add', 'Plan', '--type', 'epic', '--description', 'All of it.'])
      cleo(root, ['add', 'Research it', '--parent', 'T001', '--description', 'Which one, and why?'])
      const spawnIn = (thread: string) =>
        client.tool('spawn', { id: 'T002', ref: true }, { 'x-codex-turn-metadata': { thread_id: thread } })
      expect((await spawnIn('one')).data).toMatchObject({ spawnId: 'T002.1' })
      expect((await spawnIn('one')).data).toMatchObject({ spawnId: 'T002.1', noChange: true })
      expect((await spawnIn('two')).error).toMatchObject({ exit: 35 })
    },
    { name: 'codex-mcp-client' },
  ))

test('[OPS-3] [SESS-3] a server in the surroundings of a spawn acts as that spawn and as no other', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    const client = startClient({ cwd, env: { CLEO_AGENT_ID: 'T002.1' } })
    await client.initialize()
    expect((await client.tool('show', { id: 'T001', as: 'T009.1' })).error?.code).toBe('actor.foreign')
    expect((await client.tool('show', { id: 'T001' })).error?.code).toBe('task.not_found')
    await client.close()
  }))

test('[OPS-3] [PROV-3] a call acts as the spawn that a hook recorded for it, and as no other', () =>
  withServer(async (client, root) => {
    cleo(root, ['add', 'Plan', '--type', 'epic'])
    cleo(root, ['add', 'Research one way', '--parent', 'T001', '--description', 'Which one, and why?'])
    cleo(root, ['spawn', 'T002', '--ref'])
    const host = { ...nodeHost(), cwd: root, env: {}, home: join(root, '.home') }
    await noteToolCall(host, 'toolu_1', 'T002.1')
    const codex = { client: 'codex' as const, session: '019a' }
    await writeRecord(
      host,
      root,
      { ...codex, kind: 'before tool', name: 'PreToolUse', input: {} },
      { spawn: 'T002.1' },
    )
    for (const meta of [
      { 'claudecode/toolUseId': 'toolu_1' },
      { 'x-codex-turn-metadata': { thread_id: '019a' } },
    ]) {
      const noted = await client.tool('note', { id: 'T002', text: 'Mine.' }, meta)
      expect(noted.error, JSON.stringify(meta)).toBeUndefined()
      expect((await logged(client, 'T002'))[0]).toMatchObject({ actor: 'T002.1', operation: 'tasks.note' })
      const other = await client.tool('note', { id: 'T002', text: 'Not mine.', as: 'T009.1' }, meta)
      expect(other.error?.code).toBe('actor.foreign')
    }
  }))
