import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import { agentText, put } from './agent-files.ts'

test('[PROV-1] an agent is shown with its text; an unknown name is refused with the nearest one', () =>
  withProject(async ({ must, call }) => {
    const shown = await must('agents.show', { name: 'cleo-subagent' })
    expect(shown).toMatchObject({ origin: 'shipped', tools: expect.arrayContaining(['Bash']) })
    expect(shown.text).toMatch(/^---\nname: cleo-subagent\n/)
    expect(await call('agents.show', { name: 'cleo-subagnet' })).toMatchObject({
      code: 'agent.unknown',
      exit: 4,
      fix: 'cleo agent show cleo-subagent',
    })
  }))

test('[PROV-1] a file with problems is shown, and its problems are warnings', () =>
  withProject(async ({ root, call }) => {
    put(root, '.claude/agents/reviewer.md', agentText('reviewer', 'skills: [ct-relese]\n'))
    expect(await call('agents.show', { name: 'reviewer' })).toMatchObject({
      value: { name: 'reviewer', path: '.claude/agents/reviewer.md', errors: 1, skills: ['ct-relese'] },
      warnings: ['.claude/agents/reviewer.md there is no skill "ct-relese"; did you mean "ct-release"?'],
    })
  }))

test('[PROV-1] an agent file without front matter never hides the shipped one of its name', () =>
  withProject(async ({ root, must }) => {
    for (const text of ['', '\n', 'No front matter.\n', '---\nname: cleo-subagent\n']) {
      put(root, '.claude/agents/cleo-subagent.md', text)
      const shown = await must('agents.show', { name: 'cleo-subagent' })
      expect(shown).toMatchObject({
        origin: 'shipped',
        text: expect.stringMatching(/^---\nname: cleo-subagent\n/),
      })
    }
  }))
