import { expect, test } from 'vitest'
import { describeClients } from '../real-clients.ts'
import { lazy, line, orchestrator, silent, subagent } from '../scripts.ts'
import { keepSession } from '../session.ts'
import { inPlace, prepare } from '../set-up.ts'
import type { Stage } from '../stage.ts'

const lead = 'Please work on the epic T001.'
const worker = 'T002.1.md and follow it exactly'
const clients = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const
const reason = 'T002\\.1 cannot stop yet: no manifest entry'

const status = async (stage: Stage) => (await stage.ask<{ status: string }>('cleo show T002')).status

describeClients('a subagent that stops too early', clients, (play, client) => {
  test.each([
    ['that did half of its work', lazy(worker, reason)],
    ['that called no tool at all', silent(worker, reason)],
  ])('[PROV-2] one %s is sent back, reads the reason and complies', (which, agent) =>
    play(async (stage) => {
      const allowed = inPlace(stage, client, await prepare(stage, client))
      const report = await stage.client({
        prompt: lead,
        allowed,
        scenario: {
          agents: { lead: orchestrator(lead, 'cleo spawn T002 --ref --here', client.name), worker: agent },
        },
      })
      expect(await status(stage)).toBe('done')
      if (which.includes('half')) keepSession(report, stage, client)
    }),
  )
})

// A plugin of OpenCode cannot keep a session from ending.
const holdable = clients.filter((name) => name !== 'opencode')

describeClients('an agent that is the session itself', holdable, (play, client) => {
  test('[PROV-2] one that stops too early is sent back, reads the reason and complies', () =>
    play(async (stage) => {
      const allowed = inPlace(stage, client, await prepare(stage, client))
      const { promptFile } = await stage.ask<{ promptFile: string }>('cleo spawn T002 --ref --here')
      await stage.client({
        prompt: `Read ${promptFile} and follow it exactly.`,
        allowed,
        scenario: { agents: { worker: lazy(worker, reason) } },
      })
      expect(await status(stage)).toBe('done')
    }))

  test('[PROV-2] a stubborn one is let go after our own limit, and it is recorded', () =>
    play(async (stage) => {
      const allowed = inPlace(stage, client, await prepare(stage, client))
      const { promptFile } = await stage.ask<{ promptFile: string }>('cleo spawn T002 --ref --here')
      const report = await stage.client({
        prompt: `Read ${promptFile} and follow it exactly.`,
        allowed,
        scenario: { agents: { worker: subagent(worker, [{ say: line }]) } },
      })
      expect(report.late).toBe(false)
      const turns = report.served.filter(({ agent }) => agent === 'worker').length
      expect(turns).toBeGreaterThan(1)
      expect(turns).toBeLessThanOrEqual(6)
      expect((await stage.person('cleo log --json')).stdout).toContain('hook.stop')
      expect(await status(stage)).not.toBe('done')
      const refused = await stage.person('cleo receive T002; echo "exit $?"')
      expect(refused.stdout).toContain('exit 62')
    }))
})
