import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validateAgent } from '../../src/agents/validate-agent.ts'
import { withProject } from '../support/project.ts'
import fc, { runs } from '../support/properties.ts'
import { withTemp } from '../support/temp.ts'
import { agentText, put } from './agent-files.ts'

const skills = new Set(['ct-release', 'pdf'])
const validate = async (frontMatter: string, body = 'Do it.\n') => {
  const { agent, findings } = await validateAgent('a.md', `---\n${frontMatter}---\n${body}`, skills)
  return { agent, found: findings.map(({ level, line, message }) => `${line} ${level}: ${message}`) }
}

test('[PROV-1] name, description and tools are enough; tools may be a list or comma-separated', async () => {
  const agent = {
    name: 'reviewer',
    description: 'Reviews.',
    tools: ['Read', 'Bash(git log, git diff)'],
    skills: [],
  }
  expect(
    await validate('name: reviewer\ndescription: Reviews.\ntools: Read, Bash(git log, git diff)\n'),
  ).toEqual({
    agent,
    found: [],
  })
  expect(
    await validate('name: reviewer\ndescription: Reviews.\ntools:\n  - Read\n  - Bash(git log, git diff)\n'),
  ).toEqual({ agent, found: [] })
})

test('[PROV-1] optional fields are read', async () => {
  const fields = 'name: a\ndescription: b\ntools: Read\nmodel: sonnet\nskills: [pdf]\ncolor: red\n'
  expect(await validate(fields)).toEqual({
    agent: { name: 'a', description: 'b', tools: ['Read'], model: 'sonnet', skills: ['pdf'] },
    found: [],
  })
})

test('[PROV-1] allowed_tools is read, with a warning that clients ignore it', async () => {
  const { agent, found } = await validate(
    'name: a\ndescription: b\nallowed_tools: [Read]\nallowed_commands: [git]\n',
  )
  expect(agent).toMatchObject({ tools: ['Read'], allowed_commands: ['git'] })
  expect(found).toEqual([
    '4 warning: Claude Code ignores allowed_tools; it allows every tool unless tools is set',
    '5 warning: Claude Code ignores allowed_commands; it allows every tool unless tools is set',
  ])
})

test('[PROV-1] every problem is reported at once', async () => {
  const frontMatter = `name: Code Reviewer
description: [a, b]
tool: Read
model: 4
skills: [pdf, ct-relaese, unheard-of-thing]
allowed_commands: {git: true}
mood: good
`
  expect((await validate(frontMatter, '\n')).found).toEqual([
    '1 error: tools is missing',
    '1 warning: has no instructions below its front matter',
    '2 error: the name "Code Reviewer" must be lower-case letters, digits and single hyphens',
    '3 error: description must be text',
    '4 warning: "tool" is unknown; did you mean "tools"?',
    '5 error: model must be text',
    '6 error: there is no skill "ct-relaese"; did you mean "ct-release"?',
    '6 error: there is no skill "unheard-of-thing"',
    '7 error: allowed_commands must be a list of names',
    '7 warning: Claude Code ignores allowed_commands; it allows every tool unless tools is set',
    '8 warning: "mood" is unknown and has no effect',
  ])
})

test.each([
  ['# Reviewer\n', 'has no front matter, so the agent cannot be used'],
  ['---js\n---\n', 'opens its front matter with "---js", not "---", so the agent cannot be used'],
  [
    '---\nname: a: b\n---\n',
    'is not plain YAML: a value with ": " in it needs quotes around it, so the agent cannot be used',
  ],
])('[PROV-1] %j cannot be used', async (text, message) => {
  const { agent, findings } = await validateAgent('a.md', text)
  expect(agent).toBeUndefined()
  expect(findings.map((each) => each.message)).toEqual([message])
})

test('[PROV-1] any value of a field is reported, never thrown', async () => {
  const key = fc.constantFrom(
    'name',
    'description',
    'tools',
    'allowed_tools',
    'model',
    'skills',
    'allowed_commands',
    'x',
  )
  const value = fc.constantFrom(
    '1',
    'true',
    'null',
    '~',
    '[1]',
    '[[a]]',
    '{a: b}',
    '""',
    'a, b',
    '(((',
    'a(b',
    '2001-01-01',
    '- x',
  )
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value), async (fields) => {
      const frontMatter = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
      const { agent, found } = await validate(frontMatter.join(''))
      if (agent)
        expect([...agent.tools, ...agent.skills].every((each) => typeof each === 'string')).toBe(true)
      expect(found.every((each) => /^\d+ (error|warning): \S/.test(each))).toBe(true)
    }),
    { numRuns: runs(2000) },
  )
})

test('[PROV-1] validation reports every problem of every file', () =>
  withTemp((outside) =>
    withProject(async ({ root, must, call }) => {
      expect(await must('agents.validate', {})).toEqual({ checked: 2, findings: [] })
      put(root, 'agents/empty/notes.md', '')
      put(root, 'agents/other/AGENT.md', agentText('another'))
      put(root, '.claude/agents/bad.md', '---\nname: bad\ntools: 7\nskills: [ct-relese]\n---\nGo.\n')
      put(outside, 'secret.md', agentText('secret'))
      symlinkSync(join(outside, 'secret.md'), join(root, '.claude/agents/secret.md'))
      const refused = await call('agents.validate', {})
      expect(refused).toMatchObject({
        code: 'content.invalid',
        exit: 6,
        message: 'Found 5 errors and 1 warning.',
      })
      expect(!refused.ok && refused.problems).toEqual([
        { path: 'agents/empty', message: 'has no AGENT.md' },
        {
          path: 'agents/other/AGENT.md',
          message: 'warning: the name "another" differs from the name of the file, "other"',
        },
        { path: '.claude/agents/bad.md:1', message: 'description is missing' },
        { path: '.claude/agents/bad.md:3', message: 'tools must be a list of names' },
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
