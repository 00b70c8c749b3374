import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeClients } from '../real-clients.ts'
import { subagent } from '../scripts.ts'
import { prepare } from '../set-up.ts'

const clients = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const
const worker = 'T002.1.md and follow it exactly'

describeClients('over MCP', clients, (play, client) => {
  test('[OPS-3] the model calls tools, and verify does not run what the sandbox would refuse', () =>
    play(async (stage) => {
      // The test command creates this file only if it runs outside of the sandbox.
      const escaped = join(stage.home, 'escaped')
      writeFileSync(join(stage.project, 'sum.test.js'), `require('fs').writeFileSync('${escaped}', 'yes')\n`)
      await stage.person('git commit -qam "Escape"')
      const allowed = await prepare(stage, client)
      const { promptFile } = await stage.ask<{ promptFile: string }>('cleo spawn T002 --ref --here')
      const as = 'T002.1'
      const report = await stage.client({
        prompt: `Read ${promptFile} and follow it exactly.`,
        allowed: { ...allowed, mcp: true },
        scenario: {
          agents: {
            worker: subagent(worker, [
              { mcp: { tool: 'show', input: { id: 'T002', as } } },
              { mcp: { tool: 'focus_set', input: { id: 'T002', as } }, needs: ['Fix sum'] },
              {
                mcp: {
                  tool: 'verify_gate',
                  input: { id: 'T002', gate: 'testsPassed', evidence: 'tool:test', as },
                },
                needs: ['T002'],
              },
              { say: 'need skill: ct-release', needs: ['CLEO does not do that over MCP'] },
            ]),
          },
        },
      })
      expect(report.served.filter(({ agent }) => agent === 'worker').length).toBeGreaterThanOrEqual(4)
      expect((await stage.ask<{ status: string }>('cleo show T002')).status).toBe('active')
      expect(existsSync(escaped)).toBe(false)
    }))
})
