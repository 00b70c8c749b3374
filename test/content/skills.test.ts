import { describe, expect, test } from 'vitest'
import { stageWork } from '../../src/kernel/protocol.ts'
import { stages } from '../../src/kernel/task.ts'
import { splitFrontMatter } from '../../src/markdown/front-matter.ts'
import { dispatch } from '../../src/skills/dispatch.ts'
import { shippedEntries } from '../../src/skills/generated/skills.ts'
import { withProject } from '../support/project.ts'
import { misfits } from './agent-skills.ts'
import { namesIn, read, tokens } from './files.ts'

const names = namesIn('skills')
const entryOf = (name: string) => shippedEntries.find((entry) => entry.name === name)!
const bodyOf = (name: string): string => {
  const divided = splitFrontMatter(read(`skills/${name}/SKILL.md`))
  return divided.ok ? divided.body : ''
}

describe('shipped skills', () => {
  test('[SKILL-9] are the orchestrator and one for each stage', () => {
    expect(names).toEqual(['ct-orchestrator', ...stages().map((stage) => stageWork[stage].skill)].sort())
    expect(names).toHaveLength(11)
  })

  test.each(names)('[SKILL-9] %s passes the public rules', (name) => {
    expect(misfits(read(`skills/${name}/SKILL.md`), name)).toEqual([])
  })

  test.each(names)('[SKILL-9] %s keeps its small token budget', (name) => {
    const count = tokens(read(`skills/${name}/SKILL.md`))
    expect(count).toBeLessThanOrEqual(entryOf(name).token_budget)
    expect(count).toBeGreaterThan(entryOf(name).token_budget - 100)
    const most = { 'ct-task-executor': 350, 'ct-orchestrator': 750 }[name] ?? 600
    expect(tokens(bodyOf(name))).toBeLessThanOrEqual(most)
    expect(tokens(bodyOf(name))).toBeGreaterThan(150)
  })

  test.each(names)('[SKILL-9] %s has the sections that cutting needs', (name) => {
    const headings = [...bodyOf(name).matchAll(/^#+ .*/gm)].map(([heading]) => heading)
    expect(headings).toEqual(['## Summary', '## Core Rules', '## Procedure', '## Examples'])
  })

  test.each(stages())('[SKILL-9] the skill of %s works under the protocol of its stage', (stage) => {
    const { protocol, skill } = stageWork[stage]
    expect(entryOf(skill).protocol).toBe(protocol)
  })

  test('the orchestrator has no protocol and is never dispatched by words', () => {
    const { protocol, capabilities } = entryOf('ct-orchestrator')
    expect({ protocol, triggers: capabilities.dispatch_triggers }).toEqual({
      protocol: undefined,
      triggers: [],
    })
  })
})

describe('what skills are found by', () => {
  const task = { type: 'task' as const, title: 'Sign-up form', labels: [] as string[], files: [] as string[] }

  test('[SKILL-7] no tag belongs to two skills', () => {
    const tags = shippedEntries.flatMap((entry) => entry.tags)
    expect(tags).toEqual([...new Set(tags)])
  })

  test.each(
    shippedEntries.flatMap(({ name, protocol, capabilities }) =>
      capabilities.dispatch_triggers.map((words) => [words, name, protocol] as const),
    ),
  )('[SKILL-7] "%s" chooses %s only under implementation', (words, name, protocol) => {
    expect(words.split(' ').length).toBeGreaterThan(1)
    const found = dispatch({ ...task, title: `Please ${words} of this` }, shippedEntries)
    expect(found.protocol).toBe('implementation')
    expect(found.skill).toBe(protocol === 'implementation' ? name : 'ct-task-executor')
  })

  test.each([
    'Validate e-mail addresses',
    'Merge duplicate customers',
    'Release database connections',
    'Record voice messages',
    'Fix the total',
    'Let customers vote on dishes',
  ])('[SKILL-7] no trigger takes "%s" from implementation', (title) => {
    const { rule } = dispatch({ ...task, title }, shippedEntries)
    expect(rule).not.toBe('trigger')
  })
})

describe('the orchestrator skill', () => {
  const text = bodyOf('ct-orchestrator')

  test('[ORCH-4] has each of its rules once, with MUST', () => {
    const rules = [...text.matchAll(/^- (ORC-\d{3}): .*\bMUST\b/gm)].map(([, id]) => id)
    expect(rules).toEqual(Array.from({ length: 8 }, (_, i) => `ORC-00${i + 1}`))
    expect(text).toContain('10,000 tokens')
  })

  test('[TASK-5] handles a request for an estimate and explains the sizes', () => {
    const line = text.replace(/\s+/g, ' ')
    expect(line).toContain(
      '"I cannot provide accurate time predictions. Instead, I can describe the scope (N tasks, M files), complexity factors, and dependencies. Would you like that analysis?"',
    )
    expect(line).toContain(
      'small (one function, clear path), medium (several components, some unknowns), large (cross-cutting, significant unknowns)',
    )
  })
})

test('[SKILL-9] the worked example can be added as written and gives the waves it names', () =>
  withProject(async (project) => {
    const example = read('skills/ct-epic-architect/references/worked-example.md')
    const batch = JSON.parse(/```json\n([\s\S]*?)```/.exec(example)![1]!)
    await project.must('tasks.add', { title: 'Customer accounts', type: 'epic' })
    await project.must('tasks.add', { batch })
    const { waves } = await project.must('orchestrate.analyze', { epic: 'T001' })
    expect(waves).toEqual([['T002', 'T003'], ['T004'], ['T005', 'T006']])
  }))

describe('the public rules notice', () => {
  const skill = (front: string) => `---\n${front}\n---\n\nText.\n`
  test.each([
    ['name: form\ndescription: Fills forms.', []],
    ['name: Form\ndescription: Fills forms.', ['name', 'folder']],
    ['name: a--b\ndescription: Fills forms.', ['name', 'folder']],
    ['name: form', ['description']],
    [`name: form\ndescription: ${'x'.repeat(1025)}`, ['description']],
    ['name: form\ndescription: Fills forms.\nversion: "1"', ['unknown key']],
    ['name: form\ndescription: Fills forms.\nmetadata:\n  tier: 2', ['metadata']],
    ['name: form\ndescription: Fills forms.\nmetadata: [a]', ['metadata']],
    ['name: form\ndescription: Fills forms.\nallowed-tools: [Read]', ['allowed-tools']],
  ])('%j', (front, expected) => {
    expect(misfits(skill(front), 'form')).toEqual(expected)
  })

  test('a file without front matter', () => {
    expect(misfits('# Form\n', 'form')).toEqual(['has no front matter'])
  })
})
