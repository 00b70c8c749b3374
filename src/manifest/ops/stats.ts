import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import type { Entry } from '../entry.ts'
import * as entries from '../sql/entries.ts'
import * as quarantine from '../sql/quarantine.ts'

export const stats = operation({
  name: 'pipeline.manifest.stats',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'Count manifest entries by status and agent type.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      entries: v.number(),
      /** Number of tasks that have an entry. */
      tasks: v.number(),
      /** Number of entries by status. */
      status: v.record(v.string(), v.number()),
      /** Number of entries by agent type. */
      agentTypes: v.record(v.string(), v.number()),
      /** Number of findings in all entries. */
      findings: v.number(),
      /** Number of follow-ups in all entries. */
      followUps: v.number(),
      /** Number of lines in quarantine. */
      quarantined: v.number(),
    }),
  errors: [],
  cli: { command: 'manifest stats', also: ['research stats'], examples: ['cleo manifest stats'] },
  human: ({ entries, tasks, status, agentTypes, findings, followUps, quarantined }, style) => [
    `${style.bold(String(entries))} ${entries === 1 ? 'entry' : 'entries'} of ${tasks} ${tasks === 1 ? 'task' : 'tasks'}${entries > 0 ? `: ${counted(status)}` : ''}`,
    ...(entries > 0 ? [`  ${counted(agentTypes)}`, `  ${findings} findings, ${followUps} left to do`] : []),
    ...(quarantined > 0 ? [style.yellow(`  ${quarantined} in quarantine: cleo manifest quarantine`)] : []),
  ],
  async run(_, { store }) {
    const agents = new Map<string, number>()
    let [findings, followUps] = [0, 0]
    for await (const { body } of entries.all(store)) {
      const { agent_type, key_findings, needs_followup } = JSON.parse(body) as Partial<Entry>
      if (agent_type) agents.set(agent_type, (agents.get(agent_type) ?? 0) + 1)
      findings += key_findings?.length ?? 0
      followUps += needs_followup?.length ?? 0
    }
    const { tasks, status } = await entries.counts(store)
    return ok({
      entries: [...status.values()].reduce((sum, n) => sum + n, 0),
      tasks,
      status: Object.fromEntries(status),
      agentTypes: Object.fromEntries([...agents].sort(([a], [b]) => (a < b ? -1 : 1))),
      findings,
      followUps,
      quarantined: await quarantine.count(store),
    })
  },
})

const counted = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ') || 'none'
