import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { until } from '../support/processes.ts'
import type { Conversation, Tool } from './model/conversation.ts'
import { decide } from './model/decide.ts'
import type { Scenario, Step } from './model/scenario.ts'
import { formats, type Model, startModel } from './model/server.ts'

interface Recorded {
  path: string
  body: Record<string, unknown>
}

const recorded = (client: string): Recorded[] =>
  readFileSync(join(import.meta.dirname, 'recorded', `${client}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

/** The scenario with which the requests in `recorded/` were made: a command, a file, a second command, a text. */
const steps: Step[] = [
  { shell: 'cleo --version' },
  { write: { file: '/home/ada/project/new.txt', text: 'hello\n' } },
  { shell: 'git status --short', needs: ['cleo 0\\.1'] },
  { say: 'All done.' },
]
const scenario: Scenario = { agents: { main: { when: '[[begin]]', steps } } }

const read = ({ path, body }: Recorded): Conversation =>
  formats.find((format) => format.serves(path))!.read(body)

const nextId = () => 'one'

const withModel = async <T>(played: Scenario, work: (model: Model) => Promise<T>): Promise<T> => {
  const model = await startModel(played)
  try {
    return await work(model)
  } finally {
    await model.close()
  }
}

const post = (model: Model, { path, body }: Recorded, signal?: AbortSignal): Promise<Response> =>
  fetch(`http://127.0.0.1:${model.port}${path}`, { method: 'POST', body: JSON.stringify(body), signal })

describe.each([
  ['claude', 'Bash', 'Write'],
  ['codex', 'exec_command', 'exec_command'],
  ['gemini', 'run_shell_command', 'write_file'],
  ['opencode', 'bash', 'write'],
])('[PROV-3] requests of %s', (client, shellTool, writeTool) => {
  const requests = recorded(client)
  const [first, third] = requests.filter((request) => read(request).tools.length > 0) as [Recorded, Recorded]

  test('the step follows from the conversation, however often a request is sent', () => {
    for (const _again of [1, 2]) {
      expect(decide(scenario, read(first), nextId)).toMatchObject({ agent: 'main', step: 0 })
      expect(decide(scenario, read(third), nextId)).toMatchObject({ agent: 'main', step: 2 })
    }
  })

  test('steps are bound to the tools that the request offers', () => {
    const offered = (step: Step) =>
      decide({ agents: { main: { when: '[[begin]]', steps: [step] } } }, read(first), nextId).answer.calls[0]!
    expect(offered(steps[0]!).tool.name).toBe(shellTool)
    expect(Object.values(offered(steps[0]!).input)).toContain('cleo --version')
    const written = offered(steps[1]!)
    expect(written.tool.name).toBe(writeTool)
    expect(JSON.stringify(written.input)).toContain('/home/ada/project/new.txt')
    expect(JSON.stringify(offered({ agent: { type: 'cleo-subagent', prompt: 'Do it.' } }).input)).toContain(
      'Do it.',
    )
  })

  test('what tools answered has reached the model', () => {
    expect(decide(scenario, read(third), nextId).broken).toBeUndefined()
    const demanding = { ...steps[2]!, needs: ['cleo 9'] }
    const other = { agents: { main: { when: '[[begin]]', steps: [steps[0]!, steps[1]!, demanding] } } }
    expect(decide(other, read(third), nextId).broken).toBe('main, step 2: cleo 9 has not reached the model')
  })

  test('requests without tools, and conversations that nobody scripted, get a canned answer', () => {
    const titles = requests.filter((request) => read(request).tools.length === 0)
    for (const title of [...titles, { ...first, body: { ...first.body, tools: [] } }])
      expect(decide(scenario, read(title), nextId)).toEqual({ answer: { id: 'one', text: 'ok', calls: [] } })
    const nobody = { agents: { main: { when: '[[other]]', steps } } }
    expect(decide(nobody, read(first), nextId).answer.text).toBe('ok')
  })

  test('answers are streamed, and overloads and broken connections come first', async () => {
    const faulty = (fault: Step['fault']): Scenario => ({
      agents: { main: { when: '[[begin]]', steps: [{ ...steps[0]!, fault }] } },
    })
    await withModel(faulty({ kind: 529, times: 2 }), async (model) => {
      expect((await post(model, first)).status).toBe(529)
      expect((await post(model, first)).status).toBe(529)
      const answered = await post(model, first)
      expect(answered.headers.get('content-type')).toBe('text/event-stream')
      expect(await answered.text()).toContain('cleo --version')
      expect(model.served.map(({ step, fault }) => [step, fault])).toEqual([
        [0, 529],
        [0, 529],
        [0, undefined],
      ])
    })
    await withModel(faulty({ kind: 'drop', times: 1 }), async (model) => {
      await expect(post(model, first).then((answer) => answer.text())).rejects.toThrow('terminated')
      expect(await (await post(model, first)).text()).toContain('cleo --version')
    })
    await withModel(faulty({ kind: 'hang', times: 1 }), async (model) => {
      const client = new AbortController()
      const hanging = post(model, first, client.signal)
      await until(() => model.served.length > 0)
      expect(await Promise.race([hanging, pause(200, 'no answer')])).toBe('no answer')
      client.abort()
      await expect(hanging).rejects.toThrow('abort')
      expect(await (await post(model, first)).text()).toContain('cleo --version')
    })
  })
})

describe('[PROV-3] scenarios', () => {
  const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ name, arguments: ['command'], ...more })
  const said = (from: 'user' | 'model', text: string, results = '') => ({ from, text, results })
  const play = (played: Step[], turns: Conversation['turns'], tools = [tool('Bash')], hears = {}) =>
    decide({ agents: { main: { when: 'go', hears, steps: played } } }, { system: '', turns, tools }, nextId)

  test('names stand for what the model heard last', () => {
    const turns = [said('user', 'go T001.1'), said('model', ''), said('user', '', 'see T002.1')]
    const answered = play([{ say: '' }, { shell: 'cleo show ${id}' }], turns, undefined, {
      id: '(T\\d+)\\.1',
    })
    expect(answered.answer.calls[0]!.input).toEqual({ command: 'cleo show T002' })
    expect(play([{ shell: '${id}' }], [said('user', 'go')], undefined, { id: '(T\\d+)' }).broken).toBe(
      'main, step 0: the model never heard id, /(T\\d+)/',
    )
  })

  test('turns before the marker and markers in tool results do not count', () => {
    const turns = [said('user', 'hello', 'go'), said('model', 'yes?'), said('user', 'go')]
    expect(play([{ say: 'first' }, { say: 'second' }], turns).answer.text).toBe('first')
  })

  test('the last step is repeated', () => {
    const turns = [
      said('user', 'go'),
      said('model', 'no'),
      said('user', 'do it'),
      said('model', 'no'),
      said('user', 'do it'),
    ]
    expect(play([{ say: 'no' }], turns)).toMatchObject({ step: 0, answer: { text: 'no' } })
  })

  test('waiting is left out where the client waits by itself', () => {
    const agents = [
      tool('spawn_agent', { arguments: ['message'] }),
      tool('wait_agent', { arguments: ['targets'] }),
    ]
    const turns = [
      said('user', 'go'),
      said('model', ''),
      said('user', '', '{"agent_id":"a1","nickname":"x"}'),
    ]
    const played: Step[] = [{ agent: { type: 'x', prompt: 'p' } }, { wait: true }, { say: 'done' }]
    expect(play(played, turns, agents).answer.calls[0]!.input).toEqual({ targets: ['a1'] })
    expect(play(played, turns, [tool('Agent')]).answer.text).toBe('done')
  })

  test('a step is repeated until the facts it waits for have reached the model', () => {
    const agents = [tool('wait_agent', { arguments: ['targets'] })]
    const played: Step[] = [{ wait: true, until: ['one is back', 'two is back'] }, { say: 'done' }]
    const turns = [said('user', 'go', '{"agent_id":"a1"} {"agent_id":"a2"}')]
    expect(play(played, turns, agents).answer.calls[0]!.input).toEqual({ targets: ['a1', 'a2'] })
    turns.push(said('model', ''), said('user', '', '{"status":{"a1":{"completed":"one is back"}}}'))
    expect(play(played, turns, agents)).toMatchObject({ step: 0 })
    expect(play(played, turns, agents).answer.calls[0]!.input).toEqual({ targets: ['a2'] })
    turns.push(said('model', ''), said('user', '', 'two is back'))
    expect(play(played, turns, agents)).toMatchObject({ step: 1, answer: { text: 'done' } })
    // A step is left out if the model has already heard everything for which the step waits.
    expect(play(played, [said('user', 'go', 'one is back, two is back')], agents).step).toBe(1)
  })

  test('what is only tried is left out where no tool is offered for it', () => {
    const played: Step[] = [{ shell: 'a', ifOffered: true }, { say: 'done' }]
    expect(play(played, [said('user', 'go')]).answer.calls.length).toBe(1)
    expect(play(played, [said('user', 'go')], [tool('Read')]).answer.text).toBe('done')
  })

  test('a subagent of Gemini ends by its tool', () => {
    const ends = tool('complete_task', { arguments: ['result'] })
    const { calls } = play([{ say: 'done' }], [said('user', 'go')], [tool('run_shell_command'), ends]).answer
    expect(calls[0]).toMatchObject({ tool: ends, input: { result: 'done' } })
  })

  test('several calls fit into one turn', () => {
    const { calls } = play([{ together: [{ shell: 'a' }, { shell: 'b' }] }], [said('user', 'go')]).answer
    expect(calls.map(({ input }) => input['command'])).toEqual(['a', 'b'])
  })

  test.each([
    ['Claude Code', tool('mcp__cleo__show')],
    ['Codex', tool('show', { namespace: 'mcp__cleo__' })],
    ['Codex without the end', tool('show', { namespace: 'mcp__cleo' })],
    ['Gemini', tool('mcp_cleo_show')],
    ['OpenCode', tool('cleo_show')],
  ])('the tools of the server are found as %s names them', (_client, offered) => {
    const mcp = { tool: 'show', input: { id: 'T001' } }
    expect(play([{ mcp }], [said('user', 'go')], [tool('Bash'), offered]).answer.calls[0]).toEqual({
      id: 'one',
      tool: offered,
      input: { id: 'T001' },
    })
    expect(play([{ mcp }], [said('user', 'go')], [tool('other__show')]).broken).toContain(
      "no tool for cleo's show",
    )
  })
})
