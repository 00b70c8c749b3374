import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEnd } from '../../src/agent-processes/agent.ts'
import { agentProcesses } from '../../src/agent-processes/processes.ts'
import { fileExists, living, withAgents } from '../support/agents.ts'

describe('an agent under a watcher', () => {
  test('[RUN-2] gets its prompt on standard input, and starts only after go', () =>
    withAgents(async ({ folder, start, log }) => {
      const agent = await start('cat; touch started')
      expect(living(agent.marker)).toEqual([])
      expect(existsSync(join(folder, 'started'))).toBe(false)
      agent.go()
      expect(await agent.ended).toMatchObject({ ending: 'ended', code: 0, leftBehind: 0, bytes: 6 })
      expect(log()).toBe('Do it.')
      expect(JSON.parse(readFileSync(agent.files.end, 'utf8'))).toMatchObject({ ending: 'ended' })
      expect(agent.notes.at(-1)).toEqual({ kind: 'message', text: 'Do it.' })
    }))

  test('[RUN-2] that no driver follows is ended before it starts, and go starts it no more', () =>
    withAgents(async ({ host, folder, start }) => {
      const agent = await start('touch started')
      const { watcher, marker } = agent
      expect(await agentProcesses(host).endLeftover({ watcher, marker })).toBe(0)
      agent.go()
      expect(await agent.ended).toMatchObject({ ending: 'watcher lost' })
      expect(existsSync(join(folder, 'started'))).toBe(false)
    }))

  test.each<[string, string, Partial<AgentEnd>]>([
    ['crashes', 'echo oh; exit 3', { ending: 'crashed', code: 3, reason: 'exit status 3' }],
    ['is killed', 'kill -KILL $$', { ending: 'crashed', signal: 'SIGKILL', reason: 'ended by SIGKILL' }],
    ['exits 0 with nothing', 'exit 0', { ending: 'ended', code: 0, bytes: 0 }],
    ['claims success', 'echo All done.', { ending: 'ended', lastMessage: 'All done.' }],
    ['asks a question', 'echo "Shall I go on? [y/N]"; read x', { ending: 'asked a question' }],
    ['meets a quota', 'echo "Error: 429 rate_limit_error" >&2; exit 1', { ending: 'quota' }],
    ['is not logged in', 'echo "Not logged in. Please run /login"; exit 1', { ending: 'not logged in' }],
    [
      'does not find cleo',
      'PATH=/nowhere; cleo show T002',
      { ending: 'crashed', code: 127, cleoMissing: true },
    ],
    ['writes bad UTF-8', String.raw`printf '\xff\xfe\xc3\n\xe2\x82'`, { ending: 'ended', bytes: 6 }],
  ])('[RUN-2] that %s is told apart', (_what, script, expected) =>
    withAgents(async ({ run }) => {
      expect(await run(script)).toMatchObject(expected)
    }),
  )

  test('[RUN-2] that reads no standard input ends, whatever the size of its prompt', () =>
    withAgents(async ({ run }) => {
      expect(await run('exec <&-; echo ready', { prompt: 'x'.repeat(8_000_000) })).toMatchObject({
        ending: 'ended',
      })
    }))

  test('[RUN-2] that cannot be started says why', () =>
    withAgents(async ({ folder, run }) => {
      const launch = { program: '/nowhere/agent', args: [], env: {}, cwd: folder, input: '' }
      expect(await run('', { launch })).toMatchObject({
        ending: 'not found',
        reason: 'there is no such program',
      })
      writeFileSync(join(folder, 'text'), 'no program', { mode: 0o644 })
      expect(await run('', { launch: { ...launch, program: join(folder, 'text') } })).toMatchObject({
        ending: 'not started',
      })
      expect(
        await run('', { launch: { ...launch, program: '/bin/true', cwd: `${folder}/gone` } }),
      ).toMatchObject({
        ending: 'not started',
        reason: `there is no folder ${folder}/gone`,
      })
    }))

  test('[RUN-2] that hangs is ended at the idle limit, one that goes on at the total limit', () =>
    withAgents(async ({ run }) => {
      expect(await run('echo working; sleep 600', { limits: { idleMs: 600 } })).toMatchObject({
        ending: 'idle',
      })
      expect(
        await run('while true; do echo working; sleep 0.1; done', { limits: { totalMs: 1500 } }),
      ).toMatchObject({ ending: 'too long' })
      // 5 seconds are enough for a busy machine to start a shell that prints.
      expect(await run('echo "Which one?"; sleep 600', { limits: { idleMs: 5000 } })).toMatchObject({
        ending: 'asked a question',
        reason: 'Which one?',
      })
    }))

  test('[RUN-2] whose turn is over but whose process stays is ended', () =>
    withAgents(async ({ run }) => {
      const turn = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Done.' })
      const end = await run(`echo '${turn}'; sleep 600`, { kind: 'claude', limits: { turnOverMs: 400 } })
      expect(end).toMatchObject({ ending: 'ended', lastMessage: 'Done.' })
    }))

  test('[RUN-2] that ignores SIGTERM is ended, with what it started in other sessions', () =>
    withAgents(async ({ folder, start }) => {
      const agent = await start(
        `trap '' TERM
         setsid sh -c 'touch one; exec sleep 600' &
         setsid bash -c 'trap "" TERM; sleep 600 & touch two; sleep 600' &
         while true; do sleep 1; done`,
      )
      agent.go()
      // When both files exist, three processes run in sessions of their own.
      for (const name of ['one', 'two']) await fileExists(join(folder, name))
      const end = await agent.end('enough')
      expect(end).toMatchObject({ ending: 'ended by us', reason: 'enough' })
      expect(end.leftBehind).toBeGreaterThanOrEqual(3)
      expect(living(agent.marker)).toEqual([])
    }))

  test('[RUN-2] that ends but leaves a process with its output and no environment leaves nothing', () =>
    withAgents(async ({ start }) => {
      const agent = await start('sleep 600 & env -i setsid sleep 601 & sleep 0.5; echo done')
      agent.go()
      expect(await agent.ended).toMatchObject({ ending: 'ended', code: 0, lastMessage: 'done' })
      expect((await agent.ended).leftBehind).toBeGreaterThanOrEqual(1)
      expect(living(agent.marker)).toEqual([])
    }))

  test('[RUN-2] that prints without end fills neither disk nor memory, in one line or in many', () =>
    withAgents(async ({ start, log }) => {
      for (const [i, print] of [
        "head -c 50M /dev/zero | tr '\\0' x",
        'yes working | head -c 50M',
      ].entries()) {
        const spawn = `T002.${i + 1}`
        const agent = await start(`${print}; echo; echo last line; cat /proc/$PPID/status | grep VmHWM`, {
          spawn,
          limits: { logBytes: 100_000 },
        })
        agent.go()
        const end = await agent.ended
        expect(end).toMatchObject({ ending: 'ended' })
        expect(end.bytes).toBeGreaterThan(50_000_000)
        const text = log(spawn)
        expect(text.length).toBeLessThan(500_000)
        expect(text).toMatch(/\n… \d+ bytes are left out here …\n/)
        expect(text).toContain('last line')
        expect(Number(/VmHWM:\s+(\d+)/.exec(text)![1])).toBeLessThan(250_000)
      }
    }))

  test('[RUN-2] is ended when asked before it has started', () =>
    withAgents(async ({ folder, start }) => {
      const agent = await start('touch started')
      expect(await agent.end('not needed')).toMatchObject({ ending: 'ended by us', reason: 'not needed' })
      expect(existsSync(join(folder, 'started'))).toBe(false)
    }))

  test('[RUN-2] whose watcher is killed is found by its marker and ended', () =>
    withAgents(async ({ folder, start }) => {
      const agent = await start('setsid sleep 600 & touch started; sleep 600')
      agent.go()
      await fileExists(join(folder, 'started'))
      process.kill(agent.watcher.pid, 'SIGKILL')
      const end = await agent.ended
      expect(end).toMatchObject({ ending: 'watcher lost' })
      expect(end.leftBehind).toBeGreaterThanOrEqual(2)
      expect(living(agent.marker)).toEqual([])
    }))
})
