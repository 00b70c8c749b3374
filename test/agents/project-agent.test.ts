import { expect, test } from 'vitest'
import { findProjectAgent } from '../../src/agents/project-agent.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { withTemp } from '../support/temp.ts'
import { agentText, put } from './agent-files.ts'

test('[SKILL-8] model and skills of a project agent are read, with or without the YAML parser', () =>
  withTemp(async (root) => {
    const host = { ...nodeHost(), cwd: root }
    const project = {
      host,
      root,
      folder: `${root}/.cleo`,
      config: {},
      actor: { id: 'ada', agent: false },
      dryRun: false,
      runHooks: async () => [],
      detectNewProject: async () => ({ commands: [], clients: [] }),
      written: {},
    }
    const known = () => findProjectAgent(project, 'cleo-subagent')
    expect(await known()).toBeUndefined()
    put(root, '.claude/agents/cleo-subagent.md', agentText('cleo-subagent', 'model: haiku\n'))
    const path = '.claude/agents/cleo-subagent.md'
    expect(await known()).toEqual({ name: 'cleo-subagent', model: 'haiku', skills: [], path })
    put(root, path, agentText('cleo-subagent', 'model: "haiku"\n"skills": pdf, ct-release\n'))
    expect(await known()).toEqual({
      name: 'cleo-subagent',
      model: 'haiku',
      skills: ['pdf', 'ct-release'],
      path,
    })
    put(root, path, 'no front matter')
    expect(await known()).toBeUndefined()
  }))
