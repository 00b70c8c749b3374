import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { type TestProject, withProject } from '../support/project.ts'

const write = (project: TestProject, path: string, text: string): void => {
  const target = join(project.root, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

const long = (words: string, lines: number) => `${words} takes some room in the prompt.\n`.repeat(lines)

const primary = [
  '## Summary\n\nThe summary stays.\n',
  `## Core Rules\n\nThe core rules stay.\n\n\`\`\`md\n## Appendix\n\n${'Code of the core rules.\n'.repeat(12)}\`\`\`\n`,
  `## First Details\n\n${long('The first', 30)}`,
  `## Second Details\n\n${long('The second', 30)}`,
  `## Examples\n\n### One\n\n${long('Example one', 10)}\n### Two\n\n${long('Example two', 10)}`,
  `## References\n\n${long('A reference', 30)}`,
  `## Appendix\n\n${long('The appendix', 30)}`,
].join('\n')

const skill = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n---\n\n${body}\n`

/** Spawns T004 with two skills that together may have `skills` model tokens. `primary` has two reference files. */
const spawnWithin = async (skills: number, strategy: 'standard' | 'comprehensive') => {
  let result: { prompt: string; cut: (name: string) => string[] } | undefined
  await withProject(async (project) => {
    write(project, '.cleo/config.json', JSON.stringify({ budget: { skills } }))
    await plantOrdinary(project)
    write(project, 'skills/primary/SKILL.md', skill('primary', primary))
    write(project, 'skills/primary/references/a.md', long('File a', 60))
    write(project, 'skills/primary/references/b.md', long('File b', 60))
    write(project, 'skills/support/SKILL.md', skill('support', long('The support', 60)))
    await project.must('admin.trust', { yes: true })
    const answer = await project.must('orchestrate.spawn', {
      id: 'T004',
      skills: ['primary', 'support'],
      strategy,
    })
    if (!('taskId' in answer)) throw new Error('a pointer')
    const { prompt, budget } = answer
    result = {
      prompt,
      cut: (name) => budget.find(({ part }) => part === name)?.cut?.split('; ') ?? [],
    }
  })
  return result!
}

const files = ['references/a.md left out', 'references/b.md left out']
const appendix = ['2 reference files left out', 'References left out', 'Appendix left out']
const described = ['all but its description left out']

// Sizes depend on the path of the temporary folder. So each limit is far from the sizes at which more or less is
// left out.
test.each<[skills: number, primary: string[], support: string[]]>([
  [4000, [], []],
  [3380, files.slice(1), []],
  [2800, files, []],
  [2100, files, described],
  [1600, appendix, described],
  [1300, [...appendix, 'Examples cut'], described],
  [1100, [...appendix, 'Examples left out', 'Second Details cut'], described],
  [750, [...appendix, 'Examples left out', 'Second Details left out', 'First Details cut'], described],
])(
  '[BUDG-3] within %i tokens the skills lose what comes next in the order, and it is named',
  async (skills, first, second) => {
    const { prompt, cut } = await spawnWithin(skills, 'comprehensive')
    expect(cut('skill primary')).toEqual(first)
    expect(cut('skill support')).toEqual(second)
    expect(prompt.split('\n').filter((line) => line.startsWith('Cut for the context budget: '))).toHaveLength(
      [first, second].filter(({ length }) => length > 0).length,
    )
    for (const words of first.slice(0, 4))
      expect(prompt).toMatch(new RegExp(`^Cut for the context budget: .*${words.slice(0, 40)}`, 'm'))
    for (const kept of ['The summary stays.', 'The core rules stay.', 'Code of the core rules.'])
      expect(prompt).toContain(kept)
    expect(prompt.includes('File a takes')).toBe(skills >= 3300)
    expect(prompt.includes('The support takes')).toBe(skills >= 2600)
    expect(prompt.includes('[truncated for context budget]')).toBe(first.at(-1)?.endsWith(' cut') ?? false)
  },
)

test('[BUDG-3] what is still too long is cut by line, marked at its end, with code fences closed', async () => {
  const { prompt, cut } = await spawnWithin(500, 'standard')
  const own = prompt.slice(prompt.indexOf('### primary'), prompt.indexOf('### support'))
  expect(own.trimEnd()).toMatch(/\n\.\.\. \[truncated for context budget\]$/)
  expect(cut('skill primary').at(-1)).toMatch(/^the last \d+ lines left out$/)
  expect((own.match(/^```/gm) ?? []).length % 2).toBe(0)
})

test('[BUDG-3] the protocol is never cut, however little room there is', async () => {
  const protocolOf = (prompt: string) =>
    prompt.slice(prompt.indexOf('## Protocol Requirements'), prompt.indexOf('## Skill Context'))
  const [roomy, tight] = [await spawnWithin(15_000, 'standard'), await spawnWithin(500, 'standard')]
  expect(protocolOf(tight.prompt)).toBe(protocolOf(roomy.prompt))
  expect(tight.cut('protocol')).toEqual([])
})

test.each([
  [2000, 0],
  [100, 1],
])('[BUDG-3] a protocol over its own budget of %i tokens is a warning, and is not cut', (protocol, count) =>
  withProject(async (project) => {
    write(project, '.cleo/config.json', JSON.stringify({ budget: { protocol } }))
    await plantOrdinary(project)
    const answer = await project.must('orchestrate.spawn', { id: 'T004' })
    if (!('taskId' in answer)) throw new Error('a pointer')
    const part = answer.budget.find((each) => each.part === 'protocol')!
    expect(part).not.toHaveProperty('cut')
    expect(part.tokens).toBeGreaterThan(100)
    expect(answer.warnings.filter((text) => text.startsWith('the protocol'))).toEqual(
      Array(count).fill(`the protocol has ${part.tokens} tokens, more than its share of 100; it was not cut`),
    )
  }),
)

test('[BUDG-3] of the budget for a skill that is too long, little is left unused', () =>
  withProject(async (project) => {
    await plantOrdinary(project)
    const parts = Array.from({ length: 40 }, (_, i) => `## Part ${i}\n\n${long('A part', 100)}`)
    write(project, 'skills/huge/SKILL.md', skill('huge', parts.join('\n')))
    await project.must('admin.trust', { yes: true })
    const answer = await project.must('orchestrate.spawn', { id: 'T004', skills: ['huge'], exact: true })
    if (!('taskId' in answer)) throw new Error('a pointer')
    const huge = answer.budget.find(({ part }) => part === 'skill huge')!
    expect(huge.cut).toMatch(/Part 39 left out/)
    expect(huge.tokens).toBeLessThanOrEqual(15_000)
    expect(huge.tokens).toBeGreaterThan(14_250)
  }))
