import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEnd, AgentName, AgentSettings } from '../../src/agent-processes/agent.ts'
import { agentKind } from '../../src/agent-processes/agent-kinds.ts'
import type { Step } from '../../src/agent-processes/scenario.ts'
import { type AgentStage, living, withAgents } from '../support/agents.ts'

/** Starts an agent of a kind in a worktree, as a run does. */
const runKind = async (
  { host, folder, start }: AgentStage,
  kind: AgentName,
  settings: AgentSettings,
  {
    prompt = 'Do it.',
    env = {},
    resume,
  }: { prompt?: string; env?: Record<string, string>; resume?: string } = {},
): Promise<AgentEnd> => {
  const task = {
    ...{ spawn: 'T002.1', task: 'T002', run: 'R001', prompt, promptFile: `${folder}/.cleo/spawns/T002.1.md` },
    ...{ folder, projectRoot: folder, env: { CLEO_AGENT_ID: 'T002.1', ...env } },
  }
  const launch = await agentKind(kind).launch(
    host,
    { ...task, ...(resume !== undefined && { resume }) },
    settings,
  )
  const agent = await start('', { kind, launch })
  agent.go()
  const end = await agent.ended
  expect(living(agent.marker)).toEqual([])
  return end
}

describe('an agent that speaks the Agent Client Protocol', () => {
  const command = [process.execPath, join(import.meta.dirname, 'acp-worker.ts')]

  test('[PROV-3] works in its folder, is refused what is outside, and tells what it used', () =>
    withAgents(async (stage) => {
      const { folder } = stage
      mkdirSync(join(folder, '.cleo', 'spawns'), { recursive: true })
      writeFileSync(join(folder, '.cleo', 'spawns', 'T002.1.md'), 'the prompt ')
      mkdirSync(join(folder, 'src'))
      symlinkSync('/tmp', join(folder, 'out'))
      const end = await runKind(
        stage,
        'acp',
        { command },
        {
          prompt: [
            `write ${folder}/src/a.txt one`,
            `read ${folder}/src/a.txt`,
            `read ${folder}/.cleo/spawns/T002.1.md`,
            'write /tmp/cleo-acp-outside.txt two',
            'force /tmp/cleo-acp-outside.txt two',
            `force ${folder}/out/cleo-acp-outside.txt two`,
            `force ${folder}/.git/config two`,
            'read /etc/hostname',
            'done',
          ].join('\n'),
        },
      )
      expect(end).toMatchObject({
        ending: 'ended',
        code: 0,
        session: 'session-1',
        tokens: { input: 7, output: 3 },
      })
      expect(readFileSync(join(folder, 'src', 'a.txt'), 'utf8')).toBe('one')
      expect(existsSync('/tmp/cleo-acp-outside.txt')).toBe(false)
      expect(existsSync(join(folder, '.git'))).toBe(false)
      expect(end.denied).toEqual(['/tmp/cleo-acp-outside.txt'])
      expect(end.lastMessage).toContain('onethe prompt no: /tmp/cleo-acp-outside.txt.')
      expect(end.lastMessage!.match(/refused: /g)).toHaveLength(4)
      expect(end.lastMessage).toMatch(/done $/)
    }))

  test('[PROV-3] is told apart when it is logged out, out of quota, gone or hanging', () =>
    withAgents(async (stage) => {
      const acp = { command, variables: ['LOGGED_OUT'] }
      expect(await runKind(stage, 'acp', acp, { env: { LOGGED_OUT: '1' } })).toMatchObject({
        ending: 'not logged in',
      })
      expect(await runKind(stage, 'acp', acp, { prompt: 'quota now' })).toMatchObject({ ending: 'quota' })
      expect(await runKind(stage, 'acp', { command: ['/bin/false'] })).toMatchObject({ ending: 'crashed' })
      expect(await runKind(stage, 'acp', acp, { resume: 'session-0' })).toMatchObject({
        session: 'session-0',
      })
    }))
})

describe('the scripted agent', () => {
  const scenario = (folder: string, steps: Step[]): AgentSettings => {
    const path = join(folder, 'scenario.json')
    writeFileSync(path, JSON.stringify({ tasks: { T002: [steps], '*': [[{ exit: 8 }]] } }))
    return { scenario: path }
  }

  test('[PROV-3] writes files, commits and runs the real cleo as its spawn', () =>
    withAgents(async (stage) => {
      const { folder } = stage
      execFileSync('git', ['init', '-q'], { cwd: folder })
      const end = await runKind(
        stage,
        'scripted',
        scenario(folder, [
          { write: 'src/{{task}}.txt', text: 'by {{spawn}}\n' },
          { append: 'src/{{task}}.txt', text: 'again\n' },
          { commit: 'Work on {{task}}' },
          // Repeat the commit, as an agent does after a kill between the commit and the next step.
          { commit: 'Work on {{task}}' },
          { cleo: ['version'] },
          // Refused, because there is no project here.
          { cleo: ['show', 'T404'], exit: 9 },
          { tokens: [100, 20], cost: 0.5 },
          { say: 'Implementation complete.' },
        ]),
      )
      expect(end).toMatchObject({
        ...{ ending: 'ended', code: 0, lastMessage: 'Implementation complete.', session: 'script-T002.1' },
        ...{ tokens: { input: 100, output: 20 }, cost: 0.5 },
      })
      expect(readFileSync(join(folder, 'src', 'T002.txt'), 'utf8')).toBe('by T002.1\nagain\n')
      const log = execFileSync('git', ['log', '--format=%an %s'], { cwd: folder, encoding: 'utf8' })
      expect(log).toMatch(/ Work on T002\n$/)
    }))

  test.each<[string, Step[], Partial<AgentEnd>]>([
    ['crashes', [{ exit: 7 }], { ending: 'crashed', code: 7 }],
    ['meets a quota', [{ quota: 'usage limit', until: 5 }], { ending: 'quota', quotaUntil: 5 }],
    ['is logged out', [{ auth: 'log in' }], { ending: 'not logged in' }],
    ['is denied a tool', [{ denied: 'Bash' }], { ending: 'ended', denied: ['Bash'] }],
    ['asks', [{ say: 'Which one?' }], { ending: 'asked a question' }],
    ['prints a lot', [{ print: 5_000_000 }], { ending: 'ended' }],
  ])('[PROV-3] that %s ends so', (_what, steps, expected) =>
    withAgents(async (stage) => {
      expect(await runKind(stage, 'scripted', scenario(stage.folder, steps))).toMatchObject(expected)
    }),
  )

  test('[PROV-3] with a scenario that is wrong says so', () =>
    withAgents(async (stage) => {
      const path = join(stage.folder, 'bad.json')
      writeFileSync(path, '{"tasks":{"T002":[[{"fly":true}]]}}')
      expect(await runKind(stage, 'scripted', { scenario: path })).toMatchObject({
        ending: 'crashed',
        code: 2,
      })
      expect(stage.log()).toContain('bad.json')
    }))
})
