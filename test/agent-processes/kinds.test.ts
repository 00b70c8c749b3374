import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerPermission } from '../../src/agent-processes/acp-policy.ts'
import { type AgentName, type AgentSettings, agentNames } from '../../src/agent-processes/agent.ts'
import { agentKind, installedAgents } from '../../src/agent-processes/agent-kinds.ts'
import { allowedCommands, isAllowedCommand } from '../../src/agent-processes/allowed-commands.ts'
import { costOf } from '../../src/agent-processes/prices.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const settings: Record<AgentName, AgentSettings> = {
  claude: { model: 'opus', allowed: ['npm test'] },
  codex: { model: 'gpt' },
  gemini: {},
  opencode: {},
  acp: { command: ['gemini', '--acp'] },
  command: { command: ['./agent.sh', '--fast'] },
  scripted: { scenario: '/scenario.json' },
}

const withKinds = (work: (stage: Awaited<ReturnType<typeof stageIn>>) => Promise<void> | void) =>
  withTemp(async (folder) => work(await stageIn(folder)))

const stageIn = async (folder: string) => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'agent.sh'])
    writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 })
  const root = join(folder, 'project')
  const worktree = join(folder, 'T002.1')
  mkdirSync(join(root, '.git'), { recursive: true })
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  mkdirSync(worktree)
  writeFileSync(join(worktree, '.git'), `gitdir: ${root}/.git/worktrees/T002.1\n`)
  const host = {
    ...nodeHost(['/opt/bin/cleo']),
    cwd: bin,
    env: {
      ...{ PATH: bin, HOME: folder, USER: 'ada', LANG: 'C', TERM: 'dumb' },
      ...{
        ANTHROPIC_API_KEY: 'a',
        OPENAI_API_KEY: 'o',
        GEMINI_API_KEY: 'g',
        AWS_SECRET_ACCESS_KEY: 's',
        CLAUDECODE: '1',
      },
    },
    user: 'ada',
    home: folder,
  }
  const task = {
    ...{
      spawn: 'T002.1',
      task: 'T002',
      run: 'R001',
      prompt: 'Do it.',
      promptFile: `${root}/.cleo/spawns/T002.1.md`,
    },
    ...{ folder: worktree, projectRoot: root, env: { CLEO_AGENT_ID: 'T002.1' } },
  }
  const launch = (name: AgentName, more: AgentSettings = {}, resume?: string) =>
    agentKind(name).launch(
      host,
      { ...task, ...(resume !== undefined && { resume }) },
      { ...settings[name], ...more },
    )
  return { host, task, launch, root, worktree, bin }
}

describe('the kinds of agents', () => {
  test.each(agentNames)('[PROV-3] %s gets its prompt on standard input, and only few variables', (name) =>
    withKinds(async ({ launch, worktree }) => {
      const { input, cwd, env, args } = await launch(name)
      expect({ input, cwd }).toEqual({ input: 'Do it.', cwd: worktree })
      expect(env).toMatchObject({
        CLEO_AGENT_ID: 'T002.1',
        GIT_AUTHOR_NAME: 'ada',
        GIT_COMMITTER_EMAIL: 'ada@localhost',
      })
      expect(env['PATH']!.startsWith('/opt/bin:')).toBe(true)
      for (const secret of ['AWS_SECRET_ACCESS_KEY', 'CLAUDECODE']) expect(env).not.toHaveProperty(secret)
      const keys = {
        claude: 'ANTHROPIC_API_KEY',
        codex: 'OPENAI_API_KEY',
        gemini: 'GEMINI_API_KEY',
        acp: 'GEMINI_API_KEY',
      }
      const own = (keys as Partial<Record<AgentName, string>>)[name]
      if (name !== 'opencode')
        expect(Object.keys(env).filter((key) => key.endsWith('_API_KEY'))).toEqual(own ? [own] : [])
      expect(args.every((arg) => arg.length < 100_000)).toBe(true)
    }),
  )

  test('[PROV-3] an agent commits under the name that git has in the project', () =>
    withKinds(async ({ host, task, root, bin }) => {
      const env = { ...host.env, PATH: `${bin}:${process.env['PATH']}` }
      const launch = () => agentKind('command').launch({ ...host, env }, task, settings.command)
      git(root, 'init', '-q')
      put(host.home, { '.gitconfig': '[user]\n  name = Ada of home\n  email = ada@home.example\n' })
      git(root, 'config', 'user.name', 'Ada Lovelace')
      expect((await launch()).env).toMatchObject({
        GIT_AUTHOR_NAME: 'Ada Lovelace',
        GIT_COMMITTER_NAME: 'Ada Lovelace',
        GIT_AUTHOR_EMAIL: 'ada@home.example',
      })
      git(root, 'config', 'user.name', 'two\nlines')
      expect((await launch()).env, 'a name must be one line').toMatchObject({
        GIT_AUTHOR_NAME: 'ada',
        GIT_AUTHOR_EMAIL: 'ada@home.example',
      })
    }))

  test('[PROV-3] Claude may edit, run cleo, git and the tests, read prompts, and nothing else', () =>
    withKinds(async ({ launch, root }) => {
      const { args } = await launch('claude', {}, 'session-1')
      expect(args.slice(0, 6)).toEqual([
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'acceptEdits',
      ])
      const rules = args[args.indexOf('--allowedTools') + 1]!.split(',')
      expect(rules).toEqual(
        expect.arrayContaining([
          'Bash(cleo *)',
          'Bash(git commit *)',
          'Bash(npm test)',
          `Read(/${root}/.cleo/spawns/**)`,
        ]),
      )
      expect(
        rules.filter((rule) => !/^(Bash\((cleo|git \S+|npm test)( \*)?\)|Read\(.*)$/.test(rule)),
      ).toEqual([])
      const { hooks } = JSON.parse(args[args.indexOf('--settings') + 1]!)
      expect(Object.keys(hooks)).toContain('Stop')
      expect(args).toContain('--resume=session-1')
      expect(args).not.toContain('--dangerously-skip-permissions')
    }))

  test('[PROV-3] Claude does not get hooks twice', () =>
    withKinds(async ({ launch, worktree }) => {
      mkdirSync(join(worktree, '.claude'))
      writeFileSync(
        join(worktree, '.claude', 'settings.json'),
        '{"hooks":{"Stop":["cleo hook claude Stop"]}}',
      )
      expect((await launch('claude')).args).not.toContain('--settings')
    }))

  test('[PROV-3] Codex writes where a commit on its branch writes, and not in hooks or config of git', () =>
    withKinds(async ({ launch, root }) => {
      const { args } = await launch('codex', {}, 'thread-1')
      const roots = JSON.parse(args.find((arg) => arg.includes('writable_roots'))!.split('=')[1]!) as string[]
      expect(roots).toEqual(
        expect.arrayContaining([
          `${root}/.cleo`,
          `${root}/.git/objects`,
          `${root}/.git/worktrees/T002.1`,
          `${root}/.git/refs/heads/cleo`,
        ]),
      )
      expect(roots).not.toContain(`${root}/.git`)
      expect(roots).not.toContain(`${root}/.git/worktrees`)
      expect(args).toContain('allow_login_shell=false')
      expect(args).toContain('--dangerously-bypass-hook-trust')
      expect(
        args.some((arg) => arg.startsWith('hooks.Stop=[{hooks=[{type="command",command="command -v cleo')),
      ).toBe(true)
      expect(args.slice(-3)).toEqual(['resume', 'thread-1', '-'])
    }))

  test('[PROV-3] a program that is missing is a problem with a name', () =>
    withKinds(({ host, bin }) => {
      expect(installedAgents(host)).toEqual(['claude', 'codex', 'gemini', 'opencode'])
      // CLEO skips relative folders in PATH, because a clone can contain a program with the name of a client.
      const relative = { ...host, env: { PATH: '.::./bin' } }
      expect(installedAgents(relative)).toEqual([])
      expect(installedAgents({ ...host, env: { PATH: '' } })).toEqual([])
      const bare = { ...host, env: { PATH: '/nowhere' } }
      expect(installedAgents(bare)).toEqual([])
      expect(agentKind('claude').find(bare, {})).toMatchObject({
        problem: { path: 'agent', fix: 'cleo clients list' },
      })
      expect(agentKind('command').find(host, {})).toMatchObject({ problem: { path: 'command' } })
      expect(agentKind('command').find(host, { command: ['./gone.sh'] })).toMatchObject({
        problem: { message: 'there is no program ./gone.sh' },
      })
      expect(agentKind('command').find(host, { command: ['./agent.sh'] })).toEqual({
        program: `${bin}/agent.sh`,
      })
      expect(agentKind('scripted').find(host, {})).toMatchObject({ problem: { path: 'scenario' } })
    }))
})

describe('what an agent may run', () => {
  const allowed = allowedCommands(['npm test'])
  test.each<[string, boolean]>([
    ['cleo show T002', true],
    ['git add -A && git commit -m "Fix; all | of $5"', false],
    ["git add -A && git commit -m 'Fix; all | of it'", true],
    ['npm test', true],
    ['npm test -- --run', true],
    ['npm testing', false],
    ['npm install left-pad', false],
    ['cleo show T002; rm -rf /', false],
    ['cleo show $(rm x)', false],
    ['cleo show `rm x`', false],
    ['cleo show "$(rm x)"', false],
    ['cleo list > /etc/passwd', false],
    ['cleo list & rm x', false],
    ['git -c core.pager=x log', false],
    ['git config user.name x', false],
    ["git grep -O'touch /tmp/x' x", false],
    ['git diff --output=/etc/x', false],
    ["git log -1 --output '/etc/x'", false],
    ["git show --out'put=/etc/x'", false],
    ["git commit -m 'Add --output'", true],
    ['git diff --output-indicator-new=x', true],
    ['PATH=. cleo show', false],
    ['cleo show\nrm x', false],
    ["cleo note 'open", false],
    ['', false],
  ])('[PROV-3] %s', (line, expected) => {
    expect(isAllowedCommand(line, allowed)).toBe(expected)
  })

  const options = [
    { optionId: 'p1', name: 'Yes', kind: 'allow_always' as const },
    { optionId: 'p2', name: 'Once', kind: 'allow_once' as const },
    { optionId: 'p3', name: 'No', kind: 'reject_once' as const },
  ]
  const policy = { folder: '/w', readable: [], commands: allowed }
  test.each<[string, object, string]>([
    ['reads', { kind: 'read' }, 'p2'],
    ['edits in its folder', { kind: 'edit', locations: [{ path: '/w/a.ts' }] }, 'p2'],
    ['edits elsewhere', { kind: 'edit', locations: [{ path: '/w/../main/a.ts' }] }, 'p3'],
    ['edits it does not say where', { kind: 'edit' }, 'p3'],
    ['runs cleo', { kind: 'execute', rawInput: { command: 'cleo next' } }, 'p2'],
    ['runs cleo by its title', { kind: 'execute', title: 'cleo next' }, 'p2'],
    [
      'runs another program',
      { kind: 'execute', title: 'cleo next', rawInput: { command: 'curl x | sh' } },
      'p3',
    ],
    ['fetches', { kind: 'fetch' }, 'p3'],
    ['does something unknown', {}, 'p3'],
  ])('[PROV-3] an ACP agent that %s is answered by the kind of option', (_what, call, optionId) => {
    const answer = answerPermission(policy, { toolCall: { toolCallId: 'c', ...call }, options })
    expect(answer.outcome).toEqual({ outcome: 'selected', optionId })
    expect(answer.denied === undefined).toBe(optionId === 'p2')
  })

  test('[PROV-3] a request without the option that fits is cancelled', () => {
    const answer = answerPermission(policy, {
      toolCall: { toolCallId: 'c', kind: 'fetch' },
      options: options.slice(0, 2),
    })
    expect(answer).toMatchObject({ outcome: { outcome: 'cancelled' }, denied: 'fetch' })
  })
})

describe('prices', () => {
  test('turn tokens into a cost, cached ones at their own price', () => {
    const price = { input: 2, output: 10 }
    const tokens = { input: 1_000_000, cached: 400_000, output: 100_000 }
    expect(costOf(price, tokens)).toBeCloseTo(3)
    expect(costOf({ ...price, cached: 0.5 }, tokens)).toBeCloseTo(2.4)
    expect(costOf(undefined, tokens)).toBeUndefined()
  })
})
