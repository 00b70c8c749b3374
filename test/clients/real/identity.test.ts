import { expect, test } from 'vitest'
import { describeClients } from '../real-clients.ts'
import { subagent } from '../scripts.ts'
import { prepare } from '../set-up.ts'

const lead = 'Please work on the epic T001.'
/** What the two subagents return. The agent that started them ends when it has heard both. */
const back = ['need skill: ct-release', 'need skill: ct-validator']
const prompt = (task: string) => `${task}.1.md and follow it exactly`

const clients = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const

describeClients('two subagents at once', clients, (play, client) => {
  // Qwen ignores a changed command, and the hooks of Gemini cannot tell the agents of a session apart.
  const says = client.name === 'gemini' || client.name === 'qwen'
  const tells = client.name !== 'gemini'
  const as = (spawn: string) => (says ? ` --as ${spawn}` : '')

  test('[PROV-2] each acts as itself, and another name is refused where hooks can tell', () =>
    play(async (stage) => {
      const allowed = await prepare(stage, client)
      await stage.person(
        'cleo add "Fix the readme" --parent T001 --description "It is missing." --acceptance "It is there" --files README.md',
      )
      const start = (task: string) => ({
        agent: {
          type: 'cleo-subagent',
          prompt: `Read ${stage.project}/.cleo/spawns/${task}.1.md and follow it exactly.`,
        },
      })
      const report = await stage.client({
        prompt: lead,
        allowed,
        scenario: {
          agents: {
            lead: {
              when: lead,
              steps: [
                // A session that is not a spawn counts as an agent too.
                { shell: 'cleo config set clients.writes deny' },
                { shell: 'cleo spawn T002 --ref', needs: ['Only a person may run'] },
                { shell: 'cleo spawn T003 --ref' },
                { together: [start('T002'), start('T003')] },
                { wait: true, until: back },
                { say: 'Both are back.', needs: back },
              ],
            },
            one: subagent(prompt('T002'), [
              { read: '${prompt}' },
              { shell: `cleo focus set T002${as('T002.1')}` },
              { shell: `cleo note T002 "from the first"${as('T002.1')}` },
              { say: back[0] },
            ]),
            two: subagent(prompt('T003'), [
              { read: '${prompt}' },
              { shell: `cleo focus set T003${as('T003.1')}` },
              ...(tells ? [{ shell: 'cleo note T002 "forged" --as T002.1' }] : []),
              { shell: `cleo note T003 "from the second"${as('T003.1')}`, needs: ['T003\\.1'] },
              { say: back[1] },
            ]),
          },
        },
      })
      const log = await stage.ask<{ entries: { actor: string; operation: string; taskId: string }[] }>(
        'cleo log --limit 50',
      )
      const acts = log.entries
        .filter(({ operation }) => operation === 'focus.set' || operation === 'tasks.note')
        .map(({ actor, operation, taskId }) => `${actor} ${operation} ${taskId}`)
      expect(acts.sort()).toEqual([
        'T002.1 focus.set T002',
        'T002.1 tasks.note T002',
        'T003.1 focus.set T003',
        'T003.1 tasks.note T003',
      ])
      if (!tells) return
      const denied = report.served.findLast(({ agent, step }) => agent === 'two' && step === 3)!
      expect(denied.conversation!.turns.at(-1)!.results).toMatch(/T003\.1/)
    }))
})
