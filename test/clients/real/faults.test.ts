import { expect, test } from 'vitest'
import type { Step } from '../model/scenario.ts'
import { describeClients } from '../real-clients.ts'

describeClients('a model with faults', ['claude', 'codex'], (play) => {
  test.each<[string, NonNullable<Step['fault']>]>([
    ['is overloaded twice', { kind: 529, times: 2 }],
    ['breaks off once', { kind: 'drop', times: 1 }],
  ])('[PROV-3] that %s does not derail the script', (_what, fault) =>
    play(async (stage) => {
      const steps: Step[] = [{ read: `${stage.project}/sum.js` }, { say: 'Read.', fault, needs: ['a - b'] }]
      const report = await stage.client({
        prompt: 'Read it.',
        scenario: { agents: { reader: { when: 'Read it.', steps } } },
      })
      expect(report.exit).toBe(0)
      expect(report.stdout).toContain('Read.')
      expect(report.served.filter((each) => each.fault).length).toBe(fault.times)
      expect(report.served.at(-1)).toMatchObject({ agent: 'reader', step: 1 })
    }),
  )

  test('[PROV-3] that hangs is ended with its client at the limit, and nothing is left', () =>
    play(async (stage) => {
      const steps: Step[] = [{ say: 'Never.', fault: { kind: 'hang', times: 99 } }]
      const report = await stage.client({
        prompt: 'Wait for it.',
        limit: 6000,
        scenario: { agents: { waiter: { when: 'Wait for it.', steps } } },
      })
      expect(report).toMatchObject({ late: true, exit: null })
      expect(report.stdout).not.toContain('Never.')
    }))
})
