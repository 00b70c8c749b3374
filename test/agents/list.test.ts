import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import { agentText, put } from './agent-files.ts'

test('[PROV-1] agent files of the project and of CLEO are listed; the first of a name wins', () =>
  withProject(async ({ root, must }) => {
    put(root, 'agents/reviewer/AGENT.md', agentText('reviewer', 'model: opus\nskills: [ct-release]\n'))
    put(root, '.claude/agents/reviewer.md', agentText('reviewer'))
    put(root, '.claude/agents/cleo-subagent.md', agentText('cleo-subagent'))
    put(root, '.claude/agents/README.txt', 'not an agent')
    const { agents } = await must('agents.list', {})
    expect(agents).toEqual([
      {
        name: 'reviewer',
        origin: 'project',
        path: 'agents/reviewer/AGENT.md',
        model: 'opus',
        skills: ['ct-release'],
      },
      { name: 'cleo-subagent', origin: 'project', path: '.claude/agents/cleo-subagent.md' },
      { name: 'reviewer', origin: 'project', path: '.claude/agents/reviewer.md' },
      { name: 'cleo-subagent', origin: 'shipped', model: 'inherit' },
      { name: 'ct-orchestrator', origin: 'shipped', model: 'inherit', skills: ['ct-orchestrator'] },
    ])
    expect(await must('agents.show', { name: 'reviewer' })).toMatchObject({ model: 'opus' })
  }))
