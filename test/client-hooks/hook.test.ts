import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { spawnOfToolCall } from '../../src/client-hooks/agent-record.ts'
import { spawnOf } from '../../src/client-hooks/find-agent.ts'
import { readEvent } from '../../src/client-hooks/hook-event.ts'
import { openCodePlugin } from '../../src/clients/opencode-plugin.ts'
import type { Host } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { hookCallFile } from '../../src/host/user-folders.ts'
import { call } from '../reliability/killed-at.ts'
import { data, executable, node, type Runtime, run } from '../support/cleo.ts'
import { git } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

interface Recorded {
  client: string
  event: string
  input: Record<string, unknown>
}

const recorded = (root: string): Recorded[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', 'recorded.jsonl'), 'utf8')
    .replaceAll('$ROOT', root)
    .replaceAll('$HOME', join(root, '.home'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

interface Project {
  root: string
  cleo(...args: string[]): string
  hook(client: string, event: string, input: object | string, env?: Record<string, string>): Answer
  /** Writes the transcript that a client keeps about an agent: its prompt, then the given lines. */
  transcript(path: string, prompt: string, ...lines: object[]): string
}
interface Answer {
  decision?: string
  reason?: string
  hookSpecificOutput?: {
    hookEventName: string
    additionalContext?: string
    permissionDecision?: string
    permissionDecisionReason?: string
    updatedInput?: { command: string }
    tool_input?: { command: string }
  }
  [name: string]: unknown
}

const inProject = <T>(work: (project: Project) => Promise<T>, runtime: Runtime = executable): Promise<T> =>
  withTemp(async (root) => {
    const cleo = (...args: string[]) => {
      const { exit, stdout, stderr } = run(executable, args, { cwd: root, env: { CLEO_FORMAT: 'human' } })
      if (exit !== 0) throw new Error(stderr)
      return stdout
    }
    await call(root, 'ada', 'admin.init', {})
    const parent = 'T001'
    for (const task of [
      { title: 'Arithmetic', type: 'epic' },
      { title: 'Compare sums', parent, description: 'Which one?', labels: ['research'] },
      { title: 'Fix sum', parent, description: 'It must add.', files: ['sum.js'] },
    ])
      await call(root, 'ada', 'tasks.add', task)
    await call(root, 'ada', 'orchestrate.spawn', { id: 'T002', ref: true })
    return work({
      root,
      cleo,
      hook: (client, event, input, env = {}) => {
        const text = typeof input === 'string' ? input : JSON.stringify(input)
        const { exit, stdout } = run(runtime, ['hook', client, event], { cwd: root, input: text, env })
        expect(exit).toBe(0)
        return stdout === '' ? {} : (JSON.parse(stdout) as Answer)
      },
      transcript: (path, prompt, ...lines) => {
        const whole = join(root, '.home', path)
        mkdirSync(dirname(whole), { recursive: true })
        const first = { type: 'user', message: { role: 'user', content: prompt } }
        writeFileSync(whole, [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
        return whole
      },
    })
  })

const pointer = (root: string, spawn = 'T002.1') =>
  `Read ${root}/.cleo/spawns/${spawn}.md and follow it exactly.`
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command, description: 'x' } })
const findings = ['--finding', 'A.', '--finding', 'B.', '--finding', 'C.']
const claude = (root: string) => ({
  session_id: 's1',
  transcript_path: `${root}/.home/c/s1.jsonl`,
  cwd: root,
})

/** The fields of an event that comes from a Claude agent on T002.1. */
const agent = ({ root, transcript }: Project, id = 'a1') => ({
  ...claude(root),
  agent_id: id,
  agent_type: 'cleo-subagent',
  agent_transcript_path: transcript(`c/s1/subagents/agent-${id}.jsonl`, pointer(root), {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      usage: { input_tokens: 100, cache_read_input_tokens: 20, output_tokens: 7 },
    },
  }),
})

/** Returns the host of a hook that runs in this process. The hook reads the beginning of files with `head`. */
const placeIn = (root: string, head: Host['files']['head']): Host => {
  const host = nodeHost()
  return { ...host, cwd: root, home: join(root, '.home'), env: {}, files: { ...host.files, head } }
}

const complete = 'Research complete. See MANIFEST.jsonl for summary.'
const finish = ({ root, cleo }: Project): void => {
  cleo('focus', 'set', 'T002', '--as', 'T002.1')
  const file = join(root, 'claudedocs', 'agent-outputs', 'T002-compare-sums.md')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^## (Summary|References)$/gm, '$&\n\n- .cleo/config.json:1'),
  )
  cleo('finish', 'T002', ...findings, '--as', 'T002.1')
}

describe('[PROV-3] recorded events of real clients', () => {
  test('are all answered with exit 0 and JSON that the client knows', () =>
    inProject(async ({ root, hook }) => {
      const all = recorded(root)
      expect(new Set(all.map(({ client }) => client))).toEqual(
        new Set(['claude', 'codex', 'gemini', 'qwen', 'copilot']),
      )
      for (const { client, event, input } of all) {
        const answer = hook(client, event, input)
        const known = ['hookSpecificOutput', 'systemMessage', 'decision', 'reason', 'additionalContext']
        for (const name of Object.keys(answer)) expect(known).toContain(name)
      }
    }))

  test("Claude's lazy subagent gets its --as, and is sent back until it has finished", () =>
    inProject(async (project) => {
      const { root, hook } = project
      agent(project, 'a129fbf5bc84eb8e5')
      const subagent = 'subagents/agent-a129fbf5bc84eb8e5.jsonl'
      const inputs = recorded(root).filter(({ client }) => client === 'claude')
      const own = inputs.map(({ event, input }) => ({
        event,
        input: {
          ...input,
          transcript_path: join(root, '.home/c/s1.jsonl'),
          ...('agent_transcript_path' in input && {
            agent_transcript_path: join(root, '.home/c/s1', subagent),
          }),
        } as Record<string, unknown> & { tool_input?: { command?: string }; agent_id?: string },
      }))
      const answers = own.map(({ event, input }) => ({ event, input, answer: hook('claude', event, input) }))
      const spawned = answers.find(({ input }) =>
        input.tool_input?.command?.startsWith('cleo orchestrate spawn'),
      )!
      expect(spawned.answer).toEqual({})
      const focus = answers.find(({ input }) => input.tool_input?.command === 'cleo focus set T002')!
      expect(focus.answer.hookSpecificOutput).toEqual({
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'cleo focus set T002 --as T002.1', description: 'scripted step' },
      })
      const stops = answers.filter(({ event }) => event === 'SubagentStop')
      expect(stops[0]!.answer.decision).toBe('block')
      expect(stops[0]!.answer.reason).toContain('cleo finish T002 --finding')
      expect(answers.at(-1)).toMatchObject({ event: 'Stop', answer: {} })
      const start = answers.find(({ event }) => event === 'SubagentStart')!
      expect(start.answer.hookSpecificOutput!.additionalContext).toContain('overrides any other advice')
    }))

  test('Codex takes a changed command only with a decision, and the session that got the prompt is the spawn', () =>
    inProject(async ({ root, hook, transcript }) => {
      const rollout = transcript('codex/rollout.jsonl', 'environment', {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: pointer(root) }] },
      })
      const event = { session_id: 'thread', transcript_path: rollout, cwd: root, turn_id: 't' }
      expect(
        hook('codex', 'PreToolUse', { ...event, ...bash('cleo focus set T002') }).hookSpecificOutput,
      ).toEqual({
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'cleo focus set T002 --as T002.1', description: 'x' },
      })
      // CLEO's answer to Codex approves the whole line. So a line that does more than call CLEO is denied.
      for (const line of ['cleo note T002 "x$(touch a)"', 'LD_PRELOAD=a cleo list', 'cleo list > .profile']) {
        const { hookSpecificOutput } = hook('codex', 'PreToolUse', { ...event, ...bash(line) })
        expect(hookSpecificOutput, line).toMatchObject({ permissionDecision: 'deny' })
        expect(hookSpecificOutput!.permissionDecisionReason).toContain('--as T002.1')
      }
      const stop = hook('codex', 'Stop', { ...event, last_assistant_message: 'Here are my findings.' })
      expect(Object.keys(stop).sort()).toEqual(['decision', 'reason'])
    }))

  test('a subagent that reads the prompt of a spawn to review it is not that spawn', () =>
    inProject(async ({ root, hook, transcript }) => {
      const event = {
        ...{ session_id: 's9', agent_id: 'reviewer', cwd: root },
        agent_transcript_path: transcript('c/s9/subagents/agent-reviewer.jsonl', 'Review the prompts.'),
      }
      const file = `${root}/.cleo/spawns/T002.1.md`
      const read = { ...event, tool_name: 'Read', tool_input: { file_path: file } }
      expect(hook('claude', 'PreToolUse', read)).toEqual({})
      expect(hook('claude', 'PreToolUse', { ...event, ...bash('cleo show T003') })).toEqual({})
      expect(hook('claude', 'SubagentStop', { ...event, last_assistant_message: 'It is good.' })).toEqual({})
    }))

  test('Gemini, Copilot, Qwen, Cursor and OpenCode get answers in their own form', () =>
    inProject(async (project) => {
      const { root, hook } = project
      const env = { CLEO_AGENT_ID: 'T002.1' }
      const line = 'cleo list --as T002.1'
      const gemini = {
        session_id: 'g',
        cwd: root,
        tool_name: 'run_shell_command',
        tool_input: { command: 'cleo list' },
      }
      expect(hook('gemini', 'BeforeTool', gemini, env).hookSpecificOutput!.tool_input).toEqual({
        command: line,
      })
      expect(
        hook('gemini', 'AfterAgent', { session_id: 'g', cwd: root, prompt_response: 'a\nb' }, env),
      ).toMatchObject({
        decision: 'deny',
      })
      const copilot = {
        sessionId: 'c',
        cwd: root,
        toolName: 'bash',
        toolArgs: JSON.stringify({ command: 'cleo list' }),
      }
      expect(hook('copilot', 'preToolUse', copilot, env)).toEqual({ modifiedArgs: { command: line } })
      const qwen = hook('qwen', 'PreToolUse', { ...gemini, session_id: 'q' }, env).hookSpecificOutput!
      expect(qwen).toMatchObject({ permissionDecision: 'deny' })
      expect(qwen.permissionDecisionReason).toContain(line)
      const cursor = hook(
        'cursor',
        'beforeShellExecution',
        { conversation_id: 'u', command: 'cleo list', workspace_roots: [root] },
        env,
      )
      expect(cursor).toMatchObject({ permission: 'deny' })
      const opencode = {
        sessionID: 'o',
        callID: '1',
        tool: 'bash',
        args: { command: 'git stash' },
        cwd: root,
      }
      expect(hook('opencode', 'tool.execute.before', opencode, env)['deny']).toContain('git commit')
    }))
})

describe('[PROV-3] a subagent of Claude whose conversation is written late', () => {
  /**
   * The event before Claude starts a subagent. `stopOf` makes the event when a subagent stops without having called
   * a tool.
   */
  const givePrompt = (root: string, spawn: string | undefined, toolUse: string, type = 'cleo-subagent') => ({
    ...claude(root),
    tool_name: 'Agent',
    tool_input: {
      description: 'x',
      prompt: spawn === undefined ? 'Find the file.' : pointer(root, spawn),
      subagent_type: type,
      run_in_background: false,
    },
    tool_use_id: toolUse,
  })
  const stopOf = (root: string, id: string, type = 'cleo-subagent') => ({
    ...claude(root),
    agent_id: id,
    agent_type: type,
    agent_transcript_path: join(root, '.home/c/s1/subagents', `agent-${id}.jsonl`),
    last_assistant_message: complete,
  })

  test('is known by the prompt that its session handed out, also at its second stop', () =>
    inProject(async ({ root, hook }) => {
      expect(hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_1'))).toEqual({})
      // The person refused the first call, and the agent made it again.
      hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_2'))
      const first = hook('claude', 'SubagentStop', stopOf(root, 'a1'))
      expect(first.reason).toContain('T002.1 cannot stop yet')
      expect(hook('claude', 'SubagentStop', stopOf(root, 'a1')).decision).toBe('block')
    }))

  test('is waited for, if several prompts were handed out', () =>
    inProject(async ({ root, hook, transcript }) => {
      hook('claude', 'PreToolUse', givePrompt(root, undefined, 'toolu_1'))
      hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_2'))
      const written = transcript('c/late.jsonl', pointer(root))
      const path = stopOf(root, 'a1').agent_transcript_path
      let looks = 0
      // Claude writes the conversation after the hook has looked for it twice.
      const head: Host['files']['head'] = (at, bytes) => {
        if (at === path && ++looks === 3) {
          mkdirSync(dirname(path), { recursive: true })
          copyFileSync(written, path)
        }
        return nodeHost().files.head(at, bytes)
      }
      const waiting = placeIn(root, head)
      const event = readEvent(stopOf(root, 'a1'), 'claude', 'SubagentStop', 'subagent stop', waiting)
      expect(await spawnOf(waiting, root, event)).toEqual({ spawn: 'T002.1', isSure: true })
      expect(looks).toBe(3)
      expect(hook('claude', 'SubagentStop', stopOf(root, 'a1')).decision).toBe('block')
    }))

  test('is not mistaken for another one that got the prompt', () =>
    inProject(async ({ root, hook }) => {
      hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_1'))
      expect(hook('claude', 'SubagentStop', stopOf(root, 'a1')).decision).toBe('block')
      expect(hook('claude', 'SubagentStop', stopOf(root, 'a2'))).toEqual({})
    }))

  test('is let go where it cannot be known, and one of another type is not held', () =>
    inProject(async ({ root, hook }) => {
      hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_1'))
      expect(hook('claude', 'SubagentStop', stopOf(root, 'e1', 'Explore'))).toEqual({})
      hook('claude', 'PreToolUse', givePrompt(root, undefined, 'toolu_2'))
      expect(hook('claude', 'SubagentStop', stopOf(root, 'a1'))).toEqual({})
    }))

  test('gets its --as at its first call, and is not taken for an agent without a spawn', () =>
    inProject(async ({ root, hook, transcript }) => {
      const call = { ...claude(root), agent_type: 'cleo-subagent', ...bash('cleo list') }
      const line = 'cleo list --as T002.1'
      hook('claude', 'PreToolUse', givePrompt(root, 'T002.1', 'toolu_1'))
      hook('claude', 'PreToolUse', givePrompt(root, undefined, 'toolu_2'))
      expect(hook('claude', 'PreToolUse', { ...call, agent_id: 'a1' })).toEqual({})
      transcript('c/s1/subagents/agent-b1.jsonl', 'Find the file.')
      expect(hook('claude', 'PreToolUse', { ...call, agent_id: 'b1' })).toEqual({})
      // The transcript of b1 has the other prompt, so only the prompt of T002.1 is left for a1.
      expect(
        hook('claude', 'PreToolUse', { ...call, agent_id: 'a1' }).hookSpecificOutput?.updatedInput?.command,
      ).toBe(line)
    }))

  test('is not waited for where no spawn was handed out', () =>
    inProject(async ({ root }) => {
      let reads = 0
      const place = placeIn(root, (path, maxBytes) => {
        reads++
        return nodeHost().files.head(path, maxBytes)
      })
      const event = readEvent(stopOf(root, 'a1'), 'claude', 'SubagentStop', 'subagent stop', place)
      expect(await spawnOf(place, root, event)).toEqual({ spawn: undefined, isSure: true })
      expect(reads).toBe(1)
    }))
})

describe('[PROV-3] the stop gate', () => {
  test('knows a session of Gemini by its prompt, behind the context that hooks gave', () =>
    inProject(async ({ root, hook }) => {
      const { input } = recorded(root).find(
        ({ client, event }) => client === 'gemini' && event === 'AfterAgent',
      )!
      const given = '<hook_context># CLEO\nSee &lt;T002&gt;.</hook_context>\n\n'
      const stop = (prompt: string) => hook('gemini', 'AfterAgent', { ...input, cwd: root, prompt })
      expect(stop(`${given}${pointer(root)}`)).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('T002.1 cannot stop yet'),
      })
      expect(stop(`${given}Why? ${pointer(root)}`)).toEqual({})
    }))

  test('knows a session that was given the whole prompt of a spawn', () =>
    inProject(async ({ root, hook, transcript }) => {
      const prompt = readFileSync(join(root, '.cleo/spawns/T002.1.md'), 'utf8')
      const path = transcript('c/whole.jsonl', prompt)
      expect(
        hook('claude', 'Stop', { ...claude(root), transcript_path: path, last_assistant_message: 'Done.' })
          .reason,
      ).toContain('T002.1 cannot stop yet')
    }))

  test('needs the entry, the completion and the line, and says what to run', () =>
    inProject(async (project) => {
      const { hook } = project
      const stop = (message: string) =>
        hook('claude', 'SubagentStop', { ...agent(project), last_assistant_message: message })
      const first = stop(complete)
      expect(first.decision).toBe('block')
      expect(first.reason).toContain('no manifest entry')
      expect(first.reason).toContain('cleo focus set T002 --as T002.1')
      expect(first.reason).toContain(complete)
      finish(project)
      expect(stop('All done! Here is a summary.').reason).toBe(
        `CLEO: T002.1 is finished. Your last message must be exactly this line and nothing else:\n${complete}`,
      )
      expect(stop(complete)).toEqual({})
    }))

  test('accepts a need-line without an entry', () =>
    inProject(async (project) => {
      expect(
        project.hook('claude', 'SubagentStop', {
          ...agent(project),
          last_assistant_message: 'need skill: ct-validator',
        }),
      ).toEqual({})
    }))

  test('refuses an agent 3 times without progress, then lets it go, and says so in show, status and receive', () =>
    inProject(async (project) => {
      const { root, hook, cleo } = project
      const stop = () =>
        hook('claude', 'SubagentStop', { ...agent(project), last_assistant_message: 'Done.' }).decision
      expect([stop(), stop(), stop(), stop(), stop()]).toEqual([
        'block',
        'block',
        'block',
        undefined,
        undefined,
      ])
      expect(cleo('show', 'T002')).toContain(
        '127 tokens · stopped unfinished (no manifest entry, T002 is pending, not done)',
      )
      expect(cleo('status')).toContain('stopped unfinished')
      expect(cleo('spawn', 'show', 'T002.1')).toContain(
        'claude a1 · 120 tokens in, 7 out · sent back 3 times',
      )
      expect(cleo('log', '--operation', 'hook.stop')).toContain('released no manifest entry')
      const received = run(executable, ['receive', 'T002', '--human'], { cwd: root })
      expect(received.exit).toBe(62)
      expect(received.stdout + received.stderr).toContain(
        'the agent of T002.1 stopped, although a hook had named missing requirements',
      )
    }))

  test('refuses an agent that makes progress 5 times in all', () =>
    inProject(async (project) => {
      const { hook, cleo } = project
      const decisions: (string | undefined)[] = []
      for (let i = 0; i < 8; i++) {
        cleo('note', 'T002', `Step ${i}`, '--as', 'T002.1')
        decisions.push(
          hook('claude', 'SubagentStop', { ...agent(project), last_assistant_message: 'Done.' }).decision,
        )
      }
      expect(decisions).toEqual([...Array<string>(5).fill('block'), undefined, undefined, undefined])
    }))

  test('counts for each agent by itself', () =>
    inProject(async (project) => {
      for (const id of ['a1', 'a2'])
        expect(
          project.hook('claude', 'SubagentStop', { ...agent(project, id), last_assistant_message: 'Done.' })
            .decision,
        ).toBe('block')
    }))

  test('never holds a session of a person or an orchestrator, nor another subagent', () =>
    inProject(async ({ root, hook, transcript }) => {
      const event = {
        ...claude(root),
        transcript_path: transcript(
          'c/s1.jsonl',
          `Why did T002.1 take so long? See ${root}/.cleo/spawns/T002.1.md`,
        ),
      }
      expect(
        hook('claude', 'PreToolUse', {
          ...event,
          ...bash('cleo show T002 && git stash; cleo spawn T003 --ref'),
        }),
      ).toEqual({})
      expect(hook('claude', 'Stop', { ...event, last_assistant_message: 'x' })).toEqual({})
      const other = transcript('c/s1/subagents/agent-b.jsonl', 'Find the file.')
      expect(
        hook('claude', 'SubagentStop', {
          ...event,
          agent_id: 'b',
          agent_transcript_path: other,
          last_assistant_message: 'x',
        }),
      ).toEqual({})
    }))

  test('lets a superseded spawn stop', () =>
    inProject(async (project) => {
      const { hook, cleo } = project
      cleo('focus', 'set', 'T002', '--as', 'T002.1')
      cleo('respawn', 'T002', '--replace', '--ref')
      expect(hook('claude', 'SubagentStop', { ...agent(project), last_assistant_message: 'x' })).toEqual({})
    }))
})

describe('[PROV-3] a subagent of Gemini', () => {
  const gemini = (root: string) => ({ session_id: 'g1', transcript_path: `${root}/.home/g.jsonl`, cwd: root })
  const begin = (root: string, spawn: string | undefined) => ({
    ...gemini(root),
    tool_name: 'invoke_agent',
    tool_input: { agent_name: 'cleo-subagent', prompt: spawn ? pointer(root, spawn) : 'Find the file.' },
  })
  const end = (root: string, result = complete) => ({
    ...gemini(root),
    tool_name: 'complete_task',
    tool_input: { result },
  })

  test('is sent back at the tool by which it ends, at most a few times, and that is recorded', () =>
    inProject(async ({ root, hook, cleo }) => {
      expect(hook('gemini', 'BeforeTool', begin(root, 'T002.1'))).toEqual({})
      const answers = Array.from({ length: 5 }, () => hook('gemini', 'BeforeTool', end(root)).decision)
      expect(answers).toEqual(['deny', 'deny', 'deny', undefined, undefined])
      expect(cleo('log', '--operation', 'hook.stop')).toContain('released no manifest entry')
    }))

  test('may end when its work is finished, with its line, and is then forgotten', () =>
    inProject(async (project) => {
      const { root, hook } = project
      hook('gemini', 'BeforeTool', begin(root, 'T002.1'))
      expect(hook('gemini', 'BeforeTool', end(root)).reason).toContain('T002.1 cannot stop yet')
      finish(project)
      expect(hook('gemini', 'BeforeTool', end(root, 'All done!')).reason).toContain('exactly this line')
      expect(hook('gemini', 'BeforeTool', end(root))).toEqual({})
      // CLEO judges the next subagent of the session by the work of that subagent.
      project.cleo('spawn', 'T003', '--ref', '--here')
      hook('gemini', 'BeforeTool', begin(root, 'T003.1'))
      expect(hook('gemini', 'BeforeTool', end(root)).reason).toContain('T003.1 cannot stop yet')
    }))

  test('that runs beside another one is told what is missing for each; one without a spawn is not held', () =>
    inProject(async (project) => {
      const { root, hook, cleo } = project
      cleo('spawn', 'T003', '--ref', '--here')
      for (const spawn of ['T002.1', 'T003.1']) hook('gemini', 'BeforeTool', begin(root, spawn))
      const { reason } = hook('gemini', 'BeforeTool', end(root))
      for (const spawn of ['T002.1', 'T003.1']) expect(reason).toContain(`${spawn} cannot stop yet`)
      finish(project)
      expect(hook('gemini', 'BeforeTool', end(root))).toEqual({})
      expect(hook('gemini', 'BeforeTool', end(root)).reason).not.toContain('T002.1')
      hook('gemini', 'BeforeTool', begin(root, undefined))
      expect(hook('gemini', 'BeforeTool', end(root, 'It is in src.'))).toEqual({})
    }))

  test('calls tools like its session, so its --as is neither added nor compared', () =>
    inProject(async ({ root, hook }) => {
      hook('gemini', 'BeforeTool', begin(root, 'T002.1'))
      const run = { ...gemini(root), tool_name: 'run_shell_command', tool_input: { command: 'cleo list' } }
      expect(hook('gemini', 'BeforeTool', run)).toEqual({})
    }))
})

describe('[PROV-3] a subagent of Copilot', () => {
  const begin = (root: string) => ({
    ...{ sessionId: 'p1', cwd: root, toolName: 'task' },
    toolArgs: { agent_type: 'cleo-subagent', name: 'worker', prompt: pointer(root) },
  })
  const own = (root: string) => ({
    cwd: root,
    transcriptPath: join(root, '.home/session-state/p1/events.jsonl'),
    ...{ agentId: 'a1', agentType: 'cleo-subagent', parentAgentId: 'p1', stopReason: 'end_turn' },
  })
  const stop = (root: string) => ({ ...own(root), sessionId: 'p1', response: complete })

  test('that called no tool is known by the prompt that its session handed out, and sent back', () =>
    inProject(async (project) => {
      const { root, hook } = project
      expect(hook('copilot', 'preToolUse', begin(root))).toEqual({})
      // Copilot calls `agentStop` before each `subagentStop`.
      expect(hook('copilot', 'agentStop', { ...own(root), sessionId: 'a1' })).toEqual({})
      expect(hook('copilot', 'subagentStop', stop(root))).toMatchObject({
        decision: 'block',
        reason: expect.stringContaining('T002.1 cannot stop yet'),
      })
      finish(project)
      expect(hook('copilot', 'subagentStop', { ...stop(root), response: 'Done!' }).reason).toContain(
        'exactly this line',
      )
      expect(hook('copilot', 'subagentStop', stop(root))).toEqual({})
    }))

  test('gets its --as at its first call', () =>
    inProject(async ({ root, hook }) => {
      hook('copilot', 'preToolUse', begin(root))
      const call = { ...own(root), sessionId: 'a1', toolName: 'bash', toolArgs: { command: 'cleo list' } }
      expect(hook('copilot', 'preToolUse', call)).toEqual({
        modifiedArgs: { command: 'cleo list --as T002.1' },
      })
    }))
})

describe('[PROV-3] a session of Claude whose conversation is written late', () => {
  test('is looked for again after its first tool call', () =>
    inProject(async ({ root, hook, transcript }) => {
      expect(hook('claude', 'PreToolUse', { ...claude(root), ...bash('cleo list') })).toEqual({})
      transcript('c/s1.jsonl', pointer(root))
      expect(hook('claude', 'Stop', claude(root)).reason).toContain('T002.1 cannot stop yet')
    }))

  test('is waited for when it stops without a tool call', () =>
    inProject(async ({ root, transcript }) => {
      const written = transcript('c/late.jsonl', pointer(root))
      const path = claude(root).transcript_path
      let looks = 0
      // Claude writes the conversation after the hook has looked for it twice.
      const waiting = placeIn(root, (at, bytes) => {
        if (at === path && ++looks === 3) copyFileSync(written, path)
        return nodeHost().files.head(at, bytes)
      })
      const event = readEvent(claude(root), 'claude', 'Stop', 'stop', waiting)
      expect(await spawnOf(waiting, root, event)).toEqual({ spawn: 'T002.1', isSure: true })
      expect(looks).toBe(3)
    }))

  test('is let go where nothing is ever written', () =>
    inProject(async ({ root, hook }) => {
      expect(hook('claude', 'Stop', claude(root))).toEqual({})
    }))
})

test('[PROV-3] a session of Copilot is known by the prompt of its start, before its conversation is written', () =>
  inProject(async ({ root, hook }) => {
    const start = (sessionId: string, initialPrompt: string) =>
      hook('copilot', 'sessionStart', { sessionId, cwd: root, source: 'new', initialPrompt })
    const stop = (sessionId: string) =>
      hook('copilot', 'agentStop', { sessionId, cwd: root, transcriptPath: `${root}/.home/not-yet.jsonl` })
    expect(start('s1', pointer(root))['additionalContext']).toContain('You are T002.1. Read ')
    hook('copilot', 'preToolUse', {
      sessionId: 's1',
      cwd: root,
      toolName: 'bash',
      toolArgs: { command: 'ls' },
    })
    expect(stop('s1')['reason']).toContain('T002.1 cannot stop yet')
    expect(start('s2', 'Lead the epic T001.')['additionalContext']).toContain('Leading an epic')
    expect(stop('s2')).toEqual({})
  }))

test('[PROV-3] subagents of Qwen are told apart by the calls that started them, not by the conversation of the session', () =>
  inProject(async (project) => {
    const { root, hook, cleo, transcript } = project
    cleo('spawn', 'T003', '--ref', '--here')
    const session = {
      ...{ session_id: 'q1', cwd: root },
      transcript_path: transcript('q/q1.jsonl', `Lead it. ${pointer(root, 'T003.1')}`),
    }
    const begin = (spawn: string, call: string) => ({
      ...{ ...session, tool_name: 'agent', tool_use_id: `toolu_${call}`, tool_call_id: call },
      tool_input: { subagent_type: 'cleo-subagent', prompt: pointer(root, spawn) },
    })
    hook('qwen', 'PreToolUse', begin('T002.1', 'call_1'))
    hook('qwen', 'PreToolUse', begin('T003.1', 'call_2'))
    const own = (call: string) => ({
      ...{ ...session, agent_id: `cleo-subagent-${call}`, agent_type: 'cleo-subagent' },
      agent_transcript_path: session.transcript_path,
    })
    const list = { tool_name: 'run_shell_command', tool_input: { command: 'cleo list' } }
    const second = hook('qwen', 'PreToolUse', { ...own('call_2'), ...list }).hookSpecificOutput!
    expect(second.permissionDecisionReason).toContain('cleo list --as T003.1')
    const stop = hook('qwen', 'SubagentStop', { ...own('call_1'), last_assistant_message: complete })
    expect(stop.reason).toContain('T002.1 cannot stop yet')
  }))

test('[PROV-3] a session start of Codex makes the folders again that its sandbox must find', () =>
  inProject(async ({ root, hook }) => {
    git(root, 'init', '-q', '-b', 'main')
    const state = join(root, 'state')
    const start = { session_id: 's', cwd: root, source: 'startup' }
    hook('claude', 'SessionStart', start)
    expect(existsSync(join(root, '.git/worktrees'))).toBe(false)
    hook('codex', 'SessionStart', start, { XDG_STATE_HOME: state })
    for (const name of ['worktrees', 'refs/heads/cleo', 'logs/refs/heads/cleo'])
      expect(existsSync(join(root, '.git', name)), name).toBe(true)
    expect(existsSync(join(state, 'cleo/ports'))).toBe(true)
  }))

describe('[PROV-3] before a tool', () => {
  test('finds the spawn of a subagent by its prompt, its own command, its worktree or the environment', () =>
    inProject(async (project) => {
      const { root, hook, transcript } = project
      const rewritten = (id: string, fields: object, env?: Record<string, string>) =>
        hook('claude', 'PreToolUse', { ...claude(root), agent_id: id, ...fields, ...bash('cleo list') }, env)
          .hookSpecificOutput?.updatedInput?.command
      const line = 'cleo list --as T002.1'
      agent(project, 'prompt')
      expect(rewritten('prompt', {})).toBe(line)
      transcript('c/s1/subagents/agent-command.jsonl', 'Do the task that you know.')
      expect(rewritten('command', {})).toBeUndefined()
      hook('claude', 'PreToolUse', {
        ...claude(root),
        agent_id: 'command',
        ...bash('cleo focus set T002 --as T002.1'),
      })
      expect(rewritten('command', {})).toBe(line)
      expect(rewritten('environment', {}, { CLEO_AGENT_ID: 'T002.1' })).toBe(line)
      expect(rewritten('unknown', {}, { CLEO_AGENT_ID: 'T099.1' })).toBeUndefined()
    }))

  test('a session that a run continues for another spawn is that spawn from then on', () =>
    inProject(async ({ root, cleo, hook }) => {
      cleo('spawn', 'T003', '--ref', '--here')
      const call = (event: string, fields: object, spawn: string) =>
        hook('claude', event, { ...claude(root), ...fields }, { CLEO_AGENT_ID: spawn })
      const command = (spawn: string) =>
        call('PreToolUse', bash('cleo list'), spawn).hookSpecificOutput?.updatedInput?.command
      expect(command('T002.1')).toBe('cleo list --as T002.1')
      expect(call('Stop', {}, 'T003.1').reason).toContain('T003.1 cannot stop yet')
      expect(command('T003.1')).toBe('cleo list --as T003.1')
      expect(call('PreToolUse', bash('cleo list --as T003.1'), 'T003.1')).toEqual({})
      expect(call('Stop', {}, 'T003.1').reason).toContain('T003.1 cannot stop yet')
    }))

  test('a spawn with a worktree writes only there: warned, or refused with clients.writes deny', () =>
    inProject(async (project) => {
      const { root, cleo, hook, transcript } = project
      writeFileSync(join(root, 'sum.js'), '')
      writeFileSync(join(root, '.gitignore'), '.home/\n')
      git(root, 'init', '-q', '-b', 'main')
      git(root, 'add', '-A')
      git(root, 'commit', '-qm', 'Begin')
      cleo('spawn', 'T003', '--ref')
      const { spawn } = data<{ spawn: { folder: string } }>(run(executable, ['show', 'T003'], { cwd: root }))
      transcript('c/s1/subagents/agent-w.jsonl', pointer(root, 'T003.1'))
      const write = (path: string) =>
        hook('claude', 'PreToolUse', {
          ...claude(root),
          agent_id: 'w',
          tool_name: 'Write',
          tool_input: { file_path: path, content: 'x' },
        })
      expect(write(join(spawn.folder, 'sum.js'))).toEqual({})
      expect(write(join(spawn.folder, 'new/file.js'))).toEqual({})
      expect(write(join(root, 'sum.js'))['systemMessage']).toContain(`write ${spawn.folder}/sum.js instead`)
      expect(write('/etc/sum.js')['systemMessage']).toContain(
        `You work in ${spawn.folder}: write there instead`,
      )
      // The warning names no other place for these files, because an agent must not write them anywhere.
      for (const path of [
        join(root, '.cleo/cleo.db'),
        join(spawn.folder, '.git/config'),
        join(root, 'a/.git'),
      ])
        expect(write(path)['systemMessage']).toMatch(
          /is outside .* Only git and cleo write in \.git and \.cleo/,
        )
      cleo('config', 'set', 'clients.writes', 'deny')
      expect(write(join(root, 'sum.js')).hookSpecificOutput!.permissionDecision).toBe('deny')
      const patch = '*** Begin Patch\n*** Update File: sum.js\n@@\n-a\n+b\n*** Move to: /etc/x\n*** End Patch'
      const event = {
        session_id: 't',
        cwd: spawn.folder,
        agent_id: 'w2',
        tool_name: 'apply_patch',
        tool_input: { command: patch },
      }
      expect(
        hook('codex', 'PreToolUse', event, { CLEO_AGENT_ID: 'T003.1' }).hookSpecificOutput!
          .permissionDecisionReason,
      ).toContain('/etc/x')
    }))

  test('research writes its output only, and renews its claim', () =>
    inProject(async (project) => {
      const { root, cleo, hook } = project
      const write = (path: string) =>
        hook('claude', 'PreToolUse', {
          ...agent(project),
          tool_name: 'Edit',
          tool_input: { file_path: path },
        })
      expect(write(join(root, 'claudedocs/agent-outputs/T002-compare-sums.md'))).toEqual({})
      expect(write(join(root, 'sum.js'))['systemMessage']).toContain(
        'sum.js is outside the folder and files of T002.1',
      )
      expect(write('/tmp/scratch.txt')).toEqual({})
      cleo('show', 'T002')
    }))

  test('notes which spawn called a tool of the MCP server', () =>
    inProject(async (project) => {
      const { root, hook } = project
      const host = { ...nodeHost(), cwd: root, home: join(root, '.home'), env: {} }
      const call = { tool_name: 'mcp__cleo__show', tool_input: { id: 'T002' } }
      hook('claude', 'PreToolUse', { ...agent(project), ...call, tool_use_id: 'toolu_1' })
      hook('claude', 'PreToolUse', { ...claude(root), ...call, tool_use_id: 'toolu_2' })
      expect(await spawnOfToolCall(host, 'toolu_1')).toBe('T002.1')
      expect(await spawnOfToolCall(host, 'toolu_2')).toBeNull()
      expect(await spawnOfToolCall(host, 'toolu_3')).toBeUndefined()
      expect(existsSync(hookCallFile(host, 'claude')!)).toBe(true)
    }))
})

describe('[PROV-3] a hook that cannot answer', () => {
  const bad: [string, string, string, string][] = [
    ['empty input', 'claude', 'PreToolUse', ''],
    ['no JSON', 'claude', 'PreToolUse', 'hello'],
    ['a list', 'claude', 'Stop', '[]'],
    ['null', 'claude', 'SubagentStop', 'null'],
    ['an unknown event', 'claude', 'PreCompactNext', '{}'],
    ['an unknown client', 'nextgen', 'PreToolUse', '{}'],
    [
      'fields of other types',
      'claude',
      'PreToolUse',
      '{"session_id":7,"tool_name":{},"tool_input":[],"cwd":null,"agent_id":[1]}',
    ],
    [
      'a newer client',
      'codex',
      'Stop',
      '{"session_id":"x","next":{"a":1},"hook_event_name":"Stop","version":9}',
    ],
    ['ids that are no file names', 'claude', 'Stop', '{"session_id":"../../x","agent_id":"/etc/passwd"}'],
    [
      'a transcript that is none',
      'claude',
      'SubagentStop',
      '{"session_id":"x","agent_id":"y","agent_transcript_path":"/dev/zero"}',
    ],
    ['a name of every object', 'claude', 'constructor', '{}'],
  ]
  test.each([executable, node])('exits 0 without an answer, and logs a problem once: %o', (runtime) =>
    inProject(async ({ root, hook }) => {
      for (const [, client, event, input] of bad) {
        expect(hook(client, event, input)).toEqual({})
        hook(client, event, input)
      }
      const log = readFileSync(join(root, '.home/.local/state/cleo/hooks/errors.log'), 'utf8')
      expect(log.match(/unknown client/g)).toHaveLength(1)
      expect(log.match(/PreToolUse: the input is not a JSON object/g)).toHaveLength(1)
    }, runtime),
  )

  test('more than the limit is not read to its end', () =>
    inProject(async ({ hook }) => {
      expect(hook('claude', 'PreToolUse', `{"a":"${'x'.repeat(33 * 1024 * 1024)}"}`)).toEqual({})
    }))

  test('outside a project it says nothing', () =>
    withTemp(async (root) => {
      const input = JSON.stringify({ session_id: 's', cwd: root, ...bash('cleo list') })
      for (const event of ['PreToolUse', 'SessionStart', 'SubagentStart', 'Stop', 'SubagentStop'])
        expect(run(executable, ['hook', 'claude', event], { cwd: root, input })).toEqual({
          exit: 0,
          stdout: '',
          stderr: '',
        })
    }))

  test('a store that cannot be opened lets the agent stop, and is logged', () =>
    inProject(async (project) => {
      const { root, hook } = project
      const event = { ...agent(project), last_assistant_message: 'x' }
      hook('claude', 'PreToolUse', { ...event, ...bash('ls') })
      writeFileSync(
        join(root, '.cleo/cleo.db'),
        'not a database, but long enough to be read as one'.repeat(50),
      )
      expect(hook('claude', 'SubagentStop', event)).toEqual({})
      expect(
        hook('claude', 'PreToolUse', { ...event, ...bash('cleo list') }).hookSpecificOutput?.updatedInput
          ?.command,
      ).toContain('--as T002.1')
      expect(readFileSync(join(root, '.home/.local/state/cleo/hooks/errors.log'), 'utf8')).toContain(
        'claude SubagentStop',
      )
    }))

  test('help is printed for people', () => {
    const { stdout, exit } = run(executable, ['hook', '--help'], { cwd: '/' })
    expect({ stdout, exit }).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('cleo hook <client> <event>'),
    })
  })
})

test('[PROV-3] the plugin for OpenCode refuses and changes tool calls, and goes on without cleo', () =>
  inProject(async ({ root }) => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    const script = `#!/bin/sh\nexec '${executable.command[0]}' "$@"\n`
    writeFileSync(join(bin, 'cleo'), script)
    chmodSync(join(bin, 'cleo'), 0o755)
    const play = join(root, 'play.mjs')
    writeFileSync(join(root, 'plugin.mjs'), openCodePlugin)
    writeFileSync(
      play,
      `import { CleoPlugin } from './plugin.mjs'
       const client = { session: { get: async () => ({ data: { parentID: 'p' } }) } }
       const hooks = await CleoPlugin({ client, directory: ${JSON.stringify(root)} })
       const play = async (command) => {
         const output = { args: { command } }
         try {
           await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, output)
           return output.args.command
         } catch (error) {
           return 'refused: ' + error.message
         }
       }
       console.log(JSON.stringify([await play('cleo list'), await play('git stash'), await play('ls')]))`,
    )
    const played = (path: string) => {
      const ran = run({ name: 'plugin', command: [process.execPath, play] }, [], {
        cwd: root,
        env: { PATH: path, CLEO_AGENT_ID: 'T002.1' },
      })
      return JSON.parse(ran.stdout) as string[]
    }
    expect(played(`${bin}:/usr/bin:/bin`)).toEqual([
      'cleo list --as T002.1',
      expect.stringContaining('refused: git stash is shared'),
      'ls',
    ])
    expect(played('/usr/bin:/bin')).toEqual(['cleo list', 'git stash', 'ls'])
  }))

test('[PROV-3] the plugin for OpenCode sends a subagent back before its lead gets the result, and ends', () =>
  inProject(async ({ root }) => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'cleo'), `#!/bin/sh\nexec '${executable.command[0]}' "$@"\n`)
    chmodSync(join(bin, 'cleo'), 0o755)
    writeFileSync(join(root, 'plugin.mjs'), openCodePlugin)
    const play = join(root, 'play.mjs')
    writeFileSync(
      play,
      `import { CleoPlugin } from './plugin.mjs'
       const said = (role, text) => ({ info: { role, agent: 'cleo-subagent' }, parts: [{ type: 'text', text }] })
       const messages = [said('user', ${JSON.stringify(pointer(root))}), said('assistant', 'Done 0.')]
       const asked = []
       const client = { session: {
         get: async () => ({ data: { parentID: 'p' } }),
         messages: async () => ({ data: messages }),
         prompt: async ({ path, body }) => {
           asked.push([path.id, body.agent, body.parts[0].text.split('\\n')[0]])
           return { data: said('assistant', 'Done ' + asked.length + '.') }
         },
       } }
       const hooks = await CleoPlugin({ client, directory: ${JSON.stringify(root)} })
       const output = { output: '<task_result>\\nDone 0.\\n</task_result>', metadata: { sessionId: 'c' } }
       await hooks['tool.execute.after']({ tool: 'task', sessionID: 'p', callID: 'x' }, output)
       await hooks['tool.execute.after']({ tool: 'bash', sessionID: 'p', callID: 'y' }, { output: '' })
       console.log(JSON.stringify({ asked, output: output.output }))`,
    )
    const ran = run({ name: 'plugin', command: [process.execPath, play] }, [], {
      cwd: root,
      env: { PATH: `${bin}:/usr/bin:/bin` },
    })
    const reason = 'CLEO: T002.1 cannot stop yet: no manifest entry, and T002 is pending, not done.'
    expect(JSON.parse(ran.stdout)).toEqual({
      asked: Array.from({ length: 3 }, () => ['c', 'cleo-subagent', reason]),
      output: '<task_result>\nDone 3.\n</task_result>',
    })
  }))
