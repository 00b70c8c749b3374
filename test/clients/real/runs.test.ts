import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Step } from '../model/scenario.ts'
import { describeClients } from '../real-clients.ts'
import {
  answerOf,
  attempt,
  deliver,
  epic,
  forEver,
  honest,
  installClient,
  line,
  linesOf,
  playScenes,
  waitFor,
  work,
} from '../run-stage.ts'

describeClients('a run', ['claude', 'codex'], (play, client) => {
  const reportsCost = client.name === 'claude'

  test('[PROV-3] [RUN-1] [RUN-2] [RUN-5] six tasks, with lazy agents, a killed agent and a killed run', () =>
    play(async (stage) => {
      const env = installClient(stage, client)
      await epic(stage, { 2: [], 3: [], 4: [2], 5: [3], 6: [], 7: [4, 5] })
      const goOn = join(stage.home, 'go-on')
      const outside = join(stage.project, 'outside.txt')
      const run = ['cleo', 'run', 'T001', '--agent', client.name, '--parallel', '2', '--json'] as const
      const { played, report } = await playScenes(stage, client, {
        env,
        agents: {
          'T002.1': attempt('T002.1', [
            { write: { file: outside, text: 'A file of the checkout.\n' } },
            ...work({ number: 2 }),
            ...deliver({ number: 2 }),
          ]),
          // Each time it is asked, this agent claims success without having worked.
          'T003.1': attempt('T003.1', [{ say: line }]),
          'T003.2': honest('T003.2', { number: 3 }, 'The last attempt was refused'),
          'T004.1': attempt('T004.1', work({ number: 4, before: forEver })),
          'T004.2': honest('T004.2', { number: 4 }),
          'T005.1': honest('T005.1', { number: 5, before: waitFor(goOn) }),
          'T006.1': attempt('T006.1', [
            { say: line },
            { ...work({ number: 6 })[0]!, needs: ['T006\\.1 cannot stop yet: no manifest entry'] },
            ...work({ number: 6 }).slice(1),
            ...deliver({ number: 6 }),
          ]),
          'T007.1': honest('T007.1', { number: 7 }),
        },
        scenes: [
          {
            command: [...run],
            kills: [
              { spawn: 'T004.1', line: 'node part-4.test.js', victim: 'agent' },
              { spawn: 'T005.1', line: 'node part-5.test.js', victim: 'command' },
            ],
            leaves: goOn,
          },
          { command: ['cleo', 'run', 'resume', '--json'] },
        ],
      })
      const [first, second] = played as [(typeof played)[0], (typeof played)[0]]
      expect(first.killed).toHaveLength(2)
      expect(first.killed[0], 'the prompt goes by standard input').not.toContain('Follow this literally')
      expect(first).toMatchObject({ signal: 'SIGKILL', left: [] })
      expect(second).toMatchObject({ exit: 0, left: [] })
      const { data } = answerOf(second) as { data: { tasks: Task[]; tokens: number; cost: number } }
      console.log(`${client.name}: ${data.tokens} tokens, $${data.cost}`)
      expect(data).toMatchObject({
        ...{ state: 'finished', merged: 6, left: 0, waiting: 0 },
        failures: [
          { class: 'claimed success with nothing', times: 2 },
          { class: 'crashed', times: 1 },
        ],
      })
      expect(
        data.tasks.map(({ id, attempts }) => [id, ...new Set(attempts.map((each) => each.spawnId))]),
      ).toEqual([
        ['T002', 'T002.1'],
        ['T003', 'T003.1', 'T003.2'],
        ['T004', 'T004.1', 'T004.2'],
        ['T005', 'T005.1'],
        ['T006', 'T006.1'],
        ['T007', 'T007.1'],
      ])
      // After the first refusal the agent continues the client's session. After the second, a new session starts.
      expect(data.tasks[1]!.attempts.map(({ session }) => session)).toEqual(['new', 'continued', 'new'])
      expect(data.tasks.every(({ evidence }) => evidence.includes('testsPassed'))).toBe(true)
      expect(existsSync(outside)).toBe(false)
      const ended = [...linesOf(first), ...linesOf(second)].filter(({ kind }) => kind === 'ended')
      const answers = JSON.stringify(report.served.filter(({ agent }) => agent === 'T002.1'))
      if (client.name === 'codex') expect(answers).toContain('outside.txt: Read-only file system')
      // Codex does not report every command that its sandbox refused, so CLEO cannot know of all of them.
      const stream = readFileSync(join(stage.project, '.cleo/runs/R001/T002.1.log'), 'utf8')
      if (client.name !== 'codex' || stream.includes('outside.txt'))
        expect(ended.find(({ spawn }) => spawn === 'T002.1')).toMatchObject({
          denied: [expect.stringContaining('outside.txt')],
        })
      expect(ended.find(({ spawn }) => spawn === 'T004.1')).toMatchObject({ signal: 'SIGKILL' })
      // The scripted model counts 15 tokens for each answer. A killed process might not have read its last answer,
      // and a killed Codex reports no tokens at all.
      const answered = (id: string) => report.served.filter(({ agent }) => agent === id).length
      for (const { id, tokens, attempts } of data.tasks) {
        const answers = answered(`${id}.1`) + answered(`${id}.2`)
        const unread = attempts.filter((each) => each.ended !== 'ended').length
        if (unread > 0 && !reportsCost) continue
        expect(tokens, id).toBeLessThanOrEqual(15 * answers)
        expect(tokens, id).toBeGreaterThanOrEqual(15 * (answers - unread))
      }
      expect(data.cost > 0).toBe(reportsCost)
      const log = join(stage.project, '.cleo/runs/R001/T004.1.log')
      expect(readFileSync(log, 'utf8')).toContain('npm test')
      expect(statSync(log).mode & 0o777).toBe(0o600)
      await stage.person('git fsck --strict && cleo land T001')
      expect((await stage.person('npm test')).stdout).toContain('6 passed, 0 failed')
    }))

  test('[PROV-3] [RUN-3] an agent that is not allowed, and one that does not find cleo, are told apart', () =>
    play(async (stage) => {
      const env = installClient(stage, client)
      await epic(stage, { 2: [], 3: [] })
      const outside = join(stage.project, 'outside.txt')
      const focus = { shell: '${first}' }
      const { played } = await playScenes(stage, client, {
        env,
        agents: {
          'T002.1': attempt('T002.1', [focus, ...withoutCleo(client.name), { say: line }]),
          'T002.2': honest('T002.2', { number: 2 }),
          'T003.1': attempt('T003.1', [focus, { write: { file: outside, text: 'Mine.\n' } }, { say: line }]),
          'T003.2': honest('T003.2', { number: 3 }),
        },
        scenes: [
          { command: ['cleo', 'run', 'T001', '--agent', client.name, '--max-cost', '1', '--json'] },
          { command: ['cleo', 'config', 'set', `run.prices.${client.name}`, '{"input": 1, "output": 10}'] },
          { command: ['cleo', 'run', 'T001', '--agent', client.name, '--max-cost', '1', '--json'] },
        ],
      })
      // Codex reports no cost, so a limit on the cost needs prices.
      if (!reportsCost) expect(answerOf(played[0]!)).toMatchObject({ error: { code: 'run.cost' } })
      const done = reportsCost ? played[0]! : played[2]!
      expect(done.left).toEqual([])
      const { data } = answerOf(done) as { data: { tasks: Task[]; cost: number } }
      // The second failure comes from the continued session, in which the agent only repeats its claim.
      const again = 'claimed success with nothing'
      expect(data.tasks[0]).toMatchObject({ state: 'merged', failures: ['cleo not found', again] })
      expect(data.tasks[1]).toMatchObject({ state: 'merged', failures: ['not allowed', again] })
      expect(data.cost).toBeGreaterThan(0)
    }))
})

interface Task {
  id: string
  attempts: { spawnId: string; ended?: string; session: string }[]
  evidence: string[]
  tokens: number
}

/** Runs `cleo` in a shell without the PATH that CLEO gave to the agent. */
const withoutCleo = (client: string): Step[] =>
  client === 'codex'
    ? [{ shell: 'env -i /bin/bash -c "cleo finish T002"' }]
    : work({
        number: 2,
        before: "require('node:child_process').execSync('cleo finish T002', { env: { PATH: '/bin' } })",
      }).slice(1)

const acp = 'over the Agent Client Protocol'

describeClients('a small run', ['gemini', 'opencode'], (play, client) => {
  // One client is enough to test the Agent Client Protocol.
  const ways = client.name === 'gemini' ? ['by its own options', acp] : ['by its own options']
  /** Without the Agent Client Protocol, Gemini cannot continue a session, so its agent is sent back only once. */
  const refusals = (way: string) => (client.name === 'gemini' && way !== acp ? 1 : 2)

  test.each(ways)('[PROV-3] [RUN-2] two tasks, one after a failed attempt, %s', (way) =>
    play(async (stage) => {
      const env = installClient(stage, client)
      await epic(stage, { 2: [], 3: [2] })
      const agent = way === acp ? ['--agent', 'acp', '--command', 'gemini --acp'] : ['--agent', client.name]
      const { played } = await playScenes(stage, client, {
        env,
        agents: {
          'T002.1': attempt('T002.1', [{ say: line }]),
          'T002.2': honest('T002.2', { number: 2 }),
          'T003.1': honest('T003.1', { number: 3 }),
        },
        scenes: [{ command: ['cleo', 'run', 'T001', ...agent, '--json'] }],
      })
      expect(played[0], played[0]!.stdout).toMatchObject({ exit: 0, left: [] })
      const { data } = answerOf(played[0]!) as { data: { tasks: Task[]; tokens: number } }
      expect(data).toMatchObject({
        ...{ state: 'finished', merged: 2 },
        failures: [{ class: 'claimed success with nothing', times: refusals(way) }],
      })
      expect(data.tokens).toBeGreaterThan(0)
    }),
  )
})
