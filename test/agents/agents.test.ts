import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentFor } from '../../src/agents/agent-for.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: What it does.\ntools: Read\n${more}---\nGo.\n`

test('[PROV-1] agent files of the project and of CLEO are listed; the first of a name wins', () =>
  withProject(async ({ root, must }) => {
    put(root, 'agents/reviewer/AGENT.md', agent('reviewer', 'model: opus\nskills: [ct-release]\n'))
    put(root, '.claude/agents/reviewer.md', agent('reviewer'))
    put(root, '.claude/agents/cleo-subagent.md', agent('cleo-subagent'))
    put(root, '.claude/agents/README.txt', 'no agent')
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

test('[PROV-1] one is shown with its text, and an unknown name with the nearest', () =>
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

test('[PROV-1] validation names every fault of every file', () =>
  withTemp((outside) =>
    withProject(async ({ root, must, call }) => {
      expect(await must('agents.validate', {})).toEqual({ checked: 2, findings: [] })
      put(root, 'agents/empty/notes.md', '')
      put(root, 'agents/other/AGENT.md', agent('another'))
      put(root, '.claude/agents/bad.md', '---\nname: bad\ntools: 7\nskills: [ct-relese]\n---\nGo.\n')
      put(outside, 'secret.md', agent('secret'))
      symlinkSync(join(outside, 'secret.md'), join(root, '.claude/agents/secret.md'))
      const refused = await call('agents.validate', {})
      expect(refused).toMatchObject({ code: 'content.invalid', exit: 6, message: '5 errors, 1 warning.' })
      expect(!refused.ok && refused.problems).toEqual([
        { path: 'agents/empty', message: 'has no AGENT.md' },
        {
          path: 'agents/other/AGENT.md',
          message: 'warning: the name "another" is not that of its file, "other"',
        },
        { path: '.claude/agents/bad.md:1', message: 'description is missing' },
        { path: '.claude/agents/bad.md:3', message: 'tools should be a list of names' },
        {
          path: '.claude/agents/bad.md:4',
          message: 'there is no skill "ct-relese"; did you mean "ct-release"?',
        },
        { path: '.claude/agents/secret.md', message: 'is a link, so the agent cannot be used' },
      ])
      expect(await must('agents.validate', { path: 'agents/other/AGENT.md' })).toMatchObject({ checked: 1 })
      expect(await call('agents.validate', { path: 'agents/nobody.md' })).toMatchObject({
        code: 'file.unreadable',
      })
    }),
  ))

test('[SKILL-8] what a file of the project brings along is known, with or without a parser', () =>
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
    }
    const known = () => agentFor(project, 'cleo-subagent')
    expect(await known()).toBeUndefined()
    put(root, '.claude/agents/cleo-subagent.md', agent('cleo-subagent', 'model: haiku\n'))
    const path = '.claude/agents/cleo-subagent.md'
    expect(await known()).toEqual({ name: 'cleo-subagent', model: 'haiku', skills: [], path })
    put(root, path, agent('cleo-subagent', 'model: "haiku"\n"skills": pdf, ct-release\n'))
    expect(await known()).toEqual({
      name: 'cleo-subagent',
      model: 'haiku',
      skills: ['pdf', 'ct-release'],
      path,
    })
    put(root, path, 'no front matter')
    expect(await known()).toBeUndefined()
  }))
