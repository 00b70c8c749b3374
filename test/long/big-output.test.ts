import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/agent-processes/watch-order.ts'
import { withAgents } from '../support/agents.ts'

const gigabyte = 1_000_000_000
const action = JSON.stringify({
  type: 'assistant',
  message: {
    id: 'm',
    content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'ls', why: 'x'.repeat(4000) } }],
  },
})

test.each([
  ['one line of text', 'command', "head -c 1000000000 /dev/zero | tr '\\0' x"],
  ['lines of text', 'command', 'yes "working on it" | head -c 1000000000'],
  ['lines of a stream', 'claude', `yes '${action}' | head -c 1000000000`],
  ['one line of a stream', 'claude', `printf '%s' '{"type":"'; head -c 1000000000 /dev/zero | tr '\\0' x`],
] as const)('[RUN-2] an agent that prints 1 GB as %s fills neither memory nor disk', (_, kind, print) =>
  withAgents(async ({ start, log }) => {
    const limits = { ...defaultLimits, idleMs: 600_000, totalMs: 600_000 }
    const agent = await start(`${print}; echo; echo last line; grep VmHWM /proc/$PPID/status`, {
      kind,
      limits,
    })
    agent.go()
    const end = await agent.ended
    expect(end).toMatchObject({ ending: 'ended', leftBehind: 0 })
    expect(end.bytes).toBeGreaterThanOrEqual(gigabyte)
    const text = log()
    expect(text.length).toBeLessThan(defaultLimits.logBytes + 1_000_000)
    expect(statSync(agent.files.notes).size).toBeLessThan(2_000_000)
    expect(text).toMatch(/\n… 9\d{8} bytes are left out here …\n/)
    expect(text).toContain('last line')
    const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(text)![1])
    console.log(`${kind}: the watcher used ${Math.round(kilobytes / 1024)} MB`)
    expect(kilobytes).toBeLessThan(300_000)
  }),
)
