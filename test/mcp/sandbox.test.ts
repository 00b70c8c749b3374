import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../../scripts/operations.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { withoutCommands } from '../../src/mcp/sandbox.ts'
import { cleo, type McpClient, withServer } from '../support/mcp-client.ts'
import { until } from '../support/processes.ts'
import { declarationGraph, pathTo, sourceOf } from '../support/reachable.ts'
import { withTemp } from '../support/temp.ts'

/** The functions that start programs of the project, or clients. The only other program that CLEO starts is git. */
const starters = [
  'src/project-commands/run-command.ts#runCommand',
  'src/spawn/load-tokens.ts#runCommand',
  'src/perform/hooks.ts#runHook',
  'src/clients/check-client.ts#run',
  'src/agent-processes/processes.ts#startWatcher',
]

describe('[OPS-3] operations that run commands of the project are marked', () => {
  const graph = declarationGraph()

  test('only the known functions start programs', () => {
    const calling = [...new Set([...graph.keys()].map((each) => each.split('#')[0]!))].filter((path) =>
      /\bprocesses\s*\.run\(/.test(sourceOf(path)),
    )
    expect(calling.sort()).toEqual([
      // Runs git in a scratch repository, for a real turn of a client.
      'src/agent-processes/real-turn.ts',
      // Implements a hidden command, which a run starts as an agent.
      'src/agent-processes/script-agent.ts',
      'src/clients/check-client.ts',
      // The demo and the quickstart are commands of the command line, not operations.
      'src/demo/demo.ts',
      'src/git/git-writer.ts',
      'src/git/run-git.ts',
      'src/mcp/sandbox.ts',
      'src/perform/hooks.ts',
      'src/project-commands/run-command.ts',
      // Runs the program `true`, to find out whether bubblewrap works.
      'src/project-commands/sandbox.ts',
      'src/spawn/load-tokens.ts',
      'src/surface/cli/quickstart.ts',
    ])
    for (const starter of starters) expect(graph.has(starter), starter).toBe(true)
  })

  test('no operation that can reach them is unmarked, and none is marked that cannot', async () => {
    for (const { operation, file, export: name } of await allOperations()) {
      const path = pathTo(graph, `src/${file}#${name}`, (each) => starters.includes(each))
      expect(operation.runsCommands !== undefined, `${operation.name}: ${path?.join(' > ')}`).toBe(
        path !== undefined,
      )
    }
  })

  test('an operation that writes a file its caller names says which field that is', async () => {
    const found = (await allOperations()).filter(({ operation }) => 'out' in operation.input.entries)
    expect(found.length).toBe(3)
    for (const { operation } of found) expect(operation.writesTo).toBe('out')
  })
})

test("[OPS-3] the host of a call starts no program but CLEO's own git, marked or not", () =>
  withTemp(async (cwd) => {
    const { processes } = withoutCommands(nodeHost())
    const options = { cwd, env: {}, input: '', timeoutMs: 60_000, maxBytes: 100 }
    for (const program of ['sh', '/bin/sh', 'node', './git', 'tools/git', 'git.sh', 'git', '/usr/bin/git'])
      await expect(processes.run(program, ['-c', 'touch escaped'], options), program).rejects.toThrow(
        `CLEO does not start ${program} over MCP`,
      )
    expect(existsSync(join(cwd, 'escaped'))).toBe(false)
    const env = { PATH: process.env['PATH'] ?? '' }
    expect(await processes.run('git', ['--version'], { ...options, env, git: true })).toMatchObject({
      code: 0,
    })
  }))

const withTests = (root: string, script = 'touch escaped; echo "1 passed"') => {
  writeFileSync(join(root, 'tests.sh'), `${script}\n`)
  cleo(root, ['config', 'set', 'commands.test', 'sh tests.sh'])
  cleo(root, ['add', 'Step', '--description', 'Do it.'])
}

const verifyByTool = (client: McpClient) =>
  client.tool('verify_gate', { id: 'T001', gate: 'testsPassed', evidence: 'tool:test' })

test('[OPS-3] an agent cannot leave its sandbox through verify with tool:test', () =>
  withServer(
    async (client, root) => {
      withTests(root)
      const line = 'cleo verify T001 --gate testsPassed --evidence tool:test'
      const meta = { 'x-codex-turn-metadata': { thread_id: 'thread-1' } }
      const params = { id: 'T001', gate: 'testsPassed', evidence: 'note:a; TOOL : test' }
      for (const answer of [
        await verifyByTool(client),
        await client.tool('mutate', { domain: 'verify', operation: 'gate', params }, meta),
        await client.tool('mutate', {
          domain: 'verify',
          operation: 'criterion',
          params: { id: 'T001', criterion: 1, evidence: 'tool:test' },
        }),
      ]) {
        expect(answer.error).toMatchObject({ code: 'commands.outside', exit: 64 })
        expect(answer.error?.fix).toMatch(/^cleo verify T001 --(gate|criterion) /)
      }
      expect((await verifyByTool(client)).error?.fix).toBe(line)
      expect(existsSync(join(root, 'escaped'))).toBe(false)
      // The printed command works in the agent's own shell.
      cleo(root, line.split(' ').slice(1))
      expect(existsSync(join(root, 'escaped'))).toBe(true)
    },
    { name: 'codex-mcp-client' },
  ))

test('[OPS-3] evidence that runs nothing is taken over MCP', () =>
  withServer(async (client, root) => {
    withTests(root)
    const answer = await client.tool('verify_gate', {
      id: 'T001',
      gate: 'documented',
      evidence: 'files:tests.sh',
    })
    expect(answer.data).toMatchObject({ id: 'T001', state: 'passed' })
  }))

test('[OPS-3] spawn, respawn, warm, receive, finish and land answer with the exact shell command', () =>
  withServer(async (client, root) => {
    cleo(root, ['add', 'Step', '--description', 'Do it.'])
    const fixes: [string, string, object, string][] = [
      ['orchestrate', 'spawn', { id: 't1', ref: true }, 'cleo spawn t1 --ref'],
      [
        'orchestrator',
        'respawn',
        { id: 'T001', skills: ['a', 'b'] },
        'cleo respawn T001 --skills a --skills b',
      ],
      ['orchestrate', 'warm', { epic: 'T001' }, 'cleo warm T001'],
      [
        'orchestrate',
        'receive',
        { id: 'T001', message: "it's done" },
        `cleo receive T001 --message 'it'\\''s done'`,
      ],
      [
        'tasks',
        'finish',
        { id: 'T001', finding: ['a b'], as: 'T001.1' },
        "cleo finish T001 --finding 'a b' --as T001.1",
      ],
      [
        'worktree',
        'land',
        { epic: 'T001', session: 'ses_1', dryRun: true },
        'cleo land T001 --session ses_1 --dry-run',
      ],
      ['admin', 'backup', { out: '../a.db' }, 'cleo backup --out ../a.db'],
      ['outline', 'add', { from: '../plan.md' }, 'cleo add --from ../plan.md'],
      ['admin', 'import', { file: '../a.jsonl' }, 'cleo import ../a.jsonl'],
    ]
    for (const [domain, operation, params, fix] of fixes) {
      const { error } = await client.tool('mutate', { domain, operation, params })
      expect(error).toMatchObject({ code: 'commands.outside', fix })
    }
    const { error } = await client.tool('query', {
      domain: 'admin',
      operation: 'export',
      params: { out: `${root}/.bash_aliases` },
    })
    expect(error?.code).toBe('commands.outside')
    expect(existsSync(join(root, '.bash_aliases'))).toBe(false)
    const outline = { domain: 'outline', operation: 'add', params: { from: '- Given as text\n' } }
    expect((await client.tool('mutate', outline)).error).toBeUndefined()
    expect(JSON.parse(cleo(root, ['spawn', 'list'])).data.spawns).toEqual([])
  }))

test('[OPS-3] what an agent may not run in its shell either is refused for the same reason over MCP', () =>
  withServer(async (client, root) => {
    cleo(root, ['add', 'Step', '--description', 'Do it.'])
    for (const [operation, params, code] of [
      ['admin.setup', { client: 'claude', yes: true }, 'person.needed'],
      ['orchestrate.receive', { id: 'T001', message: 'Done.', as: 'T001.1' }, 'orchestrator.needed'],
    ] as const) {
      const [domain, name] = operation.split('.')
      const { error } = await client.tool('mutate', { domain, operation: name, params })
      expect(error).toMatchObject({ code, exit: 64 })
    }
    const check = { domain: 'admin', operation: 'setup', params: { client: 'claude', check: true } }
    expect((await client.tool('mutate', check)).error).toMatchObject({
      code: 'commands.outside',
      fix: 'cleo setup claude --check',
    })
    expect(existsSync(join(root, '.claude'))).toBe(false)
  }))

test('[OPS-3] [PROJ-8] the setting of a clone does not open the sandbox; a person does, while the server runs', () =>
  withServer(async (client, root) => {
    withTests(root)
    const path = join(root, '.cleo', 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...config, mcp: { runCommands: true } }))
    expect((await verifyByTool(client)).error?.code).toBe('commands.outside')
    expect((await client.tool('show', { id: 'T001' })).warnings?.[0]).toContain('mcp.runCommands')
    expect(existsSync(join(root, 'escaped'))).toBe(false)
    // An agent may not change the setting that opens the sandbox either.
    const set = {
      domain: 'admin',
      operation: 'config.set',
      params: { key: 'mcp.runCommands', value: 'true' },
    }
    expect((await client.tool('mutate', set)).error?.code).toBe('person.needed')

    cleo(root, ['config', 'set', 'mcp.runCommands', 'true'])
    expect((await verifyByTool(client)).data).toMatchObject({ state: 'passed' })
    expect(existsSync(join(root, 'escaped'))).toBe(true)
    cleo(root, ['config', 'unset', 'mcp.runCommands'])
    expect((await verifyByTool(client)).error?.code).toBe('commands.outside')
  }))

test('[OPS-3] hooks of the project do not run over MCP; the change is kept and the answer says so', () =>
  withServer(async (client, root) => {
    writeFileSync(join(root, 'hook.sh'), 'touch hooked\n')
    cleo(root, ['config', 'set', 'hooks.task.added', '[{"run":["sh","hook.sh"]}]'])
    const added = await client.tool('add', { title: 'Step' })
    expect(added.data).toMatchObject({ id: 'T001' })
    expect(added.warnings?.join()).toMatch(/hooks did not run: CLEO does not start sh over MCP/)
    expect(existsSync(join(root, 'hooked'))).toBe(false)
    cleo(root, ['config', 'set', 'mcp.runCommands', 'true'])
    expect((await client.tool('add', { title: 'Another step' })).warnings?.join()).not.toContain('hooks')
    expect(existsSync(join(root, 'hooked'))).toBe(true)
  }))

test('[OPS-3] a client that asks for it hears the progress of a long command', () =>
  withServer(async (client, root) => {
    withTests(root, 'echo first; until test -e go; do sleep 0.05; done; sleep 0.4; echo "1 passed"')
    cleo(root, ['config', 'set', 'mcp.runCommands', 'true'])
    const args = { id: 'T001', gate: 'testsPassed', evidence: 'tool:test' }
    const verified = client.tool('verify_gate', args, { progressToken: 'p1' })
    const isHeard = () => client.received.some(({ method }) => method === 'notifications/progress')
    await until(isHeard)
    writeFileSync(join(root, 'go'), '')
    const answer = await verified
    expect(answer.data).toMatchObject({ state: 'passed' })
    const heard = client.received.filter(({ method }) => method === 'notifications/progress')
    const params = heard.map(
      (each) => each['params'] as { progressToken: string; progress: number; message: string },
    )
    expect(params.length).toBeGreaterThan(1)
    expect(params.at(-1)).toMatchObject({
      progressToken: 'p1',
      message: expect.stringContaining('sh tests.sh'),
    })
    expect(params.map(({ progress }) => progress)).toEqual(
      params.map(({ progress }) => progress).sort((a, b) => a - b),
    )
  }))
