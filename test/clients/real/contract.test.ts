import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeClients } from '../real-clients.ts'
import { honest, orchestrator, subagent, sum, vain } from '../scripts.ts'
import { inPlace, prepare } from '../set-up.ts'

interface Task {
  status: string
  merge?: string
  outcome?: string
}

const lead = 'Please work on the epic T001.'
const clients = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const
const worker = 'T002.1.md and follow it exactly'

describeClients('under the contract', clients, (play, client) => {
  test('[PROV-3] a subagent does its task in place, and what it returned is received', () =>
    play(async (stage) => {
      const allowed = inPlace(stage, client, await prepare(stage, client))
      const report = await stage.client({
        prompt: lead,
        allowed,
        scenario: {
          agents: {
            lead: orchestrator(lead, 'cleo spawn T002 --ref --here', client.name),
            worker: honest(worker),
          },
        },
      })
      expect(readFileSync(join(stage.project, 'sum.js'), 'utf8')).toBe(sum)
      expect(await stage.ask<Task>('cleo show T002')).toMatchObject({ status: 'done', outcome: 'complete' })
      const received = report.served.findLast(({ agent }) => agent === 'lead')!.conversation!.turns.at(-1)!
      expect(received.results).toContain('✓ T002 complete')
      expect(received.results).not.toContain('warning')
    }))

  test("[PROV-3] a subagent does its task in CLEO's worktree, and its work is merged", () =>
    play(async (stage) => {
      const allowed = await prepare(stage, client)
      // Remove these empty folders, as git sometimes does. The hook at the start of a session makes them again,
      // because the sandbox of Codex needs them.
      if (client.name === 'codex')
        await stage.person('cd .git && rmdir worktrees refs/heads/cleo logs/refs/heads/cleo')
      await stage.client({
        prompt: lead,
        allowed,
        scenario: {
          agents: { lead: orchestrator(lead, 'cleo spawn T002 --ref', client.name), worker: honest(worker) },
        },
      })
      expect(await stage.ask<Task>('cleo show T002')).toMatchObject({ status: 'done', merge: 'merged' })
      expect((await stage.person('git show cleo/T001:sum.js')).stdout).toBe(sum)
      expect((await stage.person('git status --short -- sum.js && cat sum.js')).stdout).not.toBe(sum)
    }))

  test('[PROV-3] an agent that may use no tool and claims success has done nothing', () =>
    play(async (stage) => {
      await prepare(stage, client)
      const { promptFile } = await stage.ask<{ promptFile: string }>('cleo spawn T002 --ref --here')
      const line = 'Implementation complete. See MANIFEST.jsonl for summary.'
      const report = await stage.client({
        prompt: `Read ${promptFile} and follow it exactly.`,
        allowed: { nothing: true },
        scenario: { agents: { worker: subagent(worker, vain(line)) } },
      })
      expect(report.exit).toBe(0)
      expect(report.stdout).toContain(line)
      const refused = await stage.person(`cleo receive T002 --message "${line}"; echo "exit $?"`)
      expect(refused.stdout).toContain('exit 62')
      expect((await stage.ask<Task>('cleo show T002')).status).toBe('pending')
    }))
})
