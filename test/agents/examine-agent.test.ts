import fc from 'fast-check'
import { expect, test } from 'vitest'
import { examineAgent } from '../../src/agents/examine-agent.ts'

const skills = new Set(['ct-release', 'pdf'])
const examine = async (frontMatter: string, body = 'Do it.\n') => {
  const { agent, findings } = await examineAgent('a.md', `---\n${frontMatter}---\n${body}`, skills)
  return { agent, said: findings.map(({ level, line, message }) => `${line} ${level}: ${message}`) }
}

test('[PROV-1] name, description and tools are enough; the tools may be a list or stand between commas', async () => {
  const agent = {
    name: 'reviewer',
    description: 'Reviews.',
    tools: ['Read', 'Bash(git log, git diff)'],
    skills: [],
  }
  expect(
    await examine('name: reviewer\ndescription: Reviews.\ntools: Read, Bash(git log, git diff)\n'),
  ).toEqual({
    agent,
    said: [],
  })
  expect(
    await examine('name: reviewer\ndescription: Reviews.\ntools:\n  - Read\n  - Bash(git log, git diff)\n'),
  ).toEqual({ agent, said: [] })
})

test('[PROV-1] what is optional is read where it is said', async () => {
  const said = 'name: a\ndescription: b\ntools: Read\nmodel: sonnet\nskills: [pdf]\ncolor: red\n'
  expect(await examine(said)).toEqual({
    agent: { name: 'a', description: 'b', tools: ['Read'], model: 'sonnet', skills: ['pdf'] },
    said: [],
  })
})

test('[PROV-1] allowed_tools is understood, with a warning that clients ignore it', async () => {
  const { agent, said } = await examine(
    'name: a\ndescription: b\nallowed_tools: [Read]\nallowed_commands: [git]\n',
  )
  expect(agent).toMatchObject({ tools: ['Read'], allowed_commands: ['git'] })
  expect(said).toEqual([
    '4 warning: allowed_tools means nothing to Claude Code, which reads tools and else allows everything',
    '5 warning: allowed_commands means nothing to Claude Code, which reads tools and else allows everything',
  ])
})

test('[PROV-1] every fault is said at once', async () => {
  const frontMatter = `name: Code Reviewer
description: [a, b]
tool: Read
model: 4
skills: [pdf, ct-relaese, unheard-of-thing]
allowed_commands: {git: true}
mood: good
`
  expect((await examine(frontMatter, '\n')).said).toEqual([
    '1 error: tools is missing',
    '1 warning: has no instructions below its front matter',
    '2 error: the name "Code Reviewer" is not small letters, digits and single hyphens',
    '3 error: description should be a text',
    '4 warning: "tool" is not known; did you mean "tools"?',
    '5 error: model should be a text',
    '6 error: there is no skill "ct-relaese"; did you mean "ct-release"?',
    '6 error: there is no skill "unheard-of-thing"',
    '7 error: allowed_commands should be a list of names',
    '7 warning: allowed_commands means nothing to Claude Code, which reads tools and else allows everything',
    '8 warning: "mood" is not known and does nothing',
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
  const { agent, findings } = await examineAgent('a.md', text)
  expect(agent).toBeUndefined()
  expect(findings.map((each) => each.message)).toEqual([message])
})

test('[PROV-1] whatever stands in a field, it is said and never thrown', async () => {
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
      const frontMatter = Object.entries(fields).map(([name, said]) => `${name}: ${said}\n`)
      const { agent, said } = await examine(frontMatter.join(''))
      if (agent)
        expect([...agent.tools, ...agent.skills].every((each) => typeof each === 'string')).toBe(true)
      expect(said.every((each) => /^\d+ (error|warning): \S/.test(each))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
