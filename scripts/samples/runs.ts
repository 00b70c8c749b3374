import type { Samples } from '../error-page.ts'

export const runs: Samples = {
  'run.not_found': { id: 'R007' },
  'run.active': { id: 'R001', epic: 'T001', by: 'ada', isDriven: true },
  'run.driven': { id: 'R001', pid: 4711 },
  'run.replaced': { id: 'R001' },
  'run.over': { id: 'R001', epic: 'T001' },
  'run.idle': { id: 'R001', state: 'stopped' },
  'run.nothing': { epic: 'T001', why: 'T003 is blocked and waits for a person', fix: 'cleo inbox' },
  'run.agents': { epic: 'T001', installed: ['claude', 'codex'] },
  'run.agentless': { epic: 'T001' },
  'run.agent': { agent: 'command', why: 'there is no program ./agent.sh' },
  'run.cost': { agent: 'codex' },
  'run.verify': { why: 'bubblewrap is not installed (there is no bwrap on PATH)' },
  'run.unborn': { root: '/home/me/shop' },
  'run.detached': { epic: 'T001' },
}
