import { expect, test } from 'vitest'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { suggestSkills } from '../../src/skills/suggest-skills.ts'
import { opened, put } from '../skills/skill-files.ts'
import { ownOrdinary, ownTraps, trackerOrdinary, trackerTraps } from '../skills/titles.ts'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const spawned = async (project: TestProject, input: object = {}) => {
  const answer = await project.must('orchestrate.spawn', { id: 'T004', here: true, ...input })
  if (!('taskId' in answer)) throw new Error('a pointer, where everything was asked for')
  return answer
}

const withOrdinary = (work: (project: TestProject) => Promise<void>): Promise<void> =>
  withProject(async (project) => {
    await plantOrdinary(project)
    await work(project)
  })

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nDo it.\n`

const agentFile = '.claude/agents/cleo-subagent.md'
const agent = (...skills: string[]): string =>
  `---\nname: cleo-subagent\ndescription: x\ntools: Read\nmodel: opus\nskills: [${skills.join(', ')}]\n---\n\nWork.\n`

test('[PROT-3] a spawn names its protocol and the reason', () =>
  withOrdinary(async (project) => {
    const on = async (input: object) => {
      const { protocol, reason } = await spawned(project, input)
      return `${protocol} (${reason})`
    }
    expect(await on({})).toBe('implementation (files: "src/signup.ts")')
    expect(await on({ protocol: 'release' })).toBe('release (--protocol)')
    await project.must('tasks.update', { id: 'T004', title: 'Find out why it hangs' })
    expect(await on({})).toBe('research (title: "Find out")')
    await project.must('tasks.update', { id: 'T004', labels: ['consensus'] })
    expect(await on({})).toBe('consensus (label: "consensus")')
  }))

test('[SKILL-7] a protocol that was asked for brings its own skill, unless skills were asked for', () =>
  withOrdinary(async (project) => {
    const names = async (input: object) => (await spawned(project, input)).skills.map(({ name }) => name)
    expect(await names({})).toEqual(['ct-task-executor'])
    expect(await names({ protocol: 'research' })).toEqual(['ct-research-agent'])
    expect(await names({ protocol: 'decomposition' })).toEqual(['ct-epic-architect'])
    expect(await names({ protocol: 'research', skills: ['ct-validator'] })).toEqual(['ct-validator'])
    expect(await names({ protocol: 'research', skills: [] })).toEqual([])
    await project.must('tasks.update', { id: 'T004', title: 'Write an ADR', files: [] })
    expect(await names({ protocol: 'specification' }), 'dispatch chose the same protocol').toEqual([
      'ct-adr-recorder',
    ])
  }))

test('[SKILL-8] a dispatched skill that the agent file lists is left to it, and the prompt says where it is', () =>
  withOrdinary(async (project) => {
    put(project.root, agentFile, agent('ct-task-executor', 'ct-validator'))
    for (const tier of [0, 1, 2]) {
      const { prompt, skills, warnings } = await spawned(project, { tier })
      expect(skills).toEqual([])
      expect(warnings.filter((each) => !each.includes('superseded'))).toEqual([])
      expect(prompt).toContain(
        `## Skill Context\n\nct-task-executor: it is part of your agent file, ${agentFile}.`,
      )
    }
    const call = await project.must('orchestrate.spawn', { id: 'T004', taskTool: true })
    expect(call).toMatchObject({ skills: ['ct-task-executor'] })
    expect((await spawned(project, { protocol: 'research' })).skills).toMatchObject([
      { name: 'ct-research-agent' },
    ])
  }))

test('[SKILL-8] the same skill by name in both is refused, naming both; the fix works', () =>
  withOrdinary(async (project) => {
    put(project.root, agentFile, agent('ct-task-executor'))
    const skills = ['ct-task-executor', 'ct-test-runner']
    expect(await project.call('orchestrate.spawn', { id: 'T004', skills })).toMatchObject({
      code: 'skill.twice',
      exit: 6,
      message: `ct-task-executor would be loaded twice: by --skills and by \`skills\` in ${agentFile}.`,
      fix: 'cleo spawn T004 --skills ct-test-runner',
    })
    expect(
      await project.call('orchestrate.spawn', { id: 'T004', skills: ['ct-task-executor'] }),
    ).toMatchObject({ fix: "cleo spawn T004 --skills ''" })
    expect((await spawned(project, { skills: [] })).skills).toEqual([])
    expect(await project.call('orchestrate.respawn', { id: 'T004', skills })).toMatchObject({
      fix: 'cleo respawn T004 --skills ct-test-runner',
    })
    put(project.root, agentFile, agent())
    await spawned(project, { skills: ['ct-validator'] })
    const again = await project.must('orchestrate.respawn', { id: 'T004', skills: [] })
    expect(again).toMatchObject({ skills: [] })
  }))

test('[SKILL-8] a skill that the agent file lists but that does not exist is a warning', () =>
  withOrdinary(async (project) => {
    put(project.root, 'skills/crm/SKILL.md', skill('crm', '**Bold** text'))
    put(project.root, agentFile, agent('ct-relase', 'crm'))
    expect((await spawned(project)).warnings).toEqual([
      `${agentFile} lists a skill that cannot be loaded. There is no skill "ct-relase". Did you mean "ct-release"?`,
      `${agentFile} lists a skill that cannot be loaded. The skill "crm" cannot be loaded: skills/crm/SKILL.md:3 is not plain YAML: a value that starts with "*" needs quotes around it.`,
    ])
    expect(await project.call('agents.validate', {})).toMatchObject({
      code: 'content.invalid',
      problems: expect.arrayContaining([
        { path: `${agentFile}:6`, message: 'there is no skill "ct-relase"; did you mean "ct-release"?' },
      ]),
    })
  }))

test('[SKILL-8] a skill made for another model than the agent runs is a warning', () =>
  withOrdinary(async (project) => {
    put(project.root, agentFile, agent())
    put(project.root, 'skills/other/SKILL.md', skill('other', 'x', 'metadata:\n  model: "sonnet"\n'))
    await project.must('admin.trust', { yes: true })
    expect((await spawned(project, { skills: ['other'] })).warnings).toEqual([
      'skill other was made for sonnet; the agent runs opus',
    ])
  }))

test('[SPAWN-6] at tier 0 the Task call lists no skill, because the companion file has it in full', () =>
  withOrdinary(async (project) => {
    const call = await project.must('orchestrate.spawn', { id: 'T004', tier: 0, taskTool: true })
    expect(call).toMatchObject({ tool: 'Task', skills: [] })
  }))

test('[SKILL-3] [SPAWN-6] a skill that is there but cannot be loaded is refused with the reason', () =>
  withOrdinary(async (project) => {
    put(project.root, 'skills/crm/SKILL.md', skill('crm', '"Use this'))
    put(project.root, 'skills/cpp/SKILL.md', skill('C++', 'Write it.'))
    put(project.root, 'skills/odd/SKILL.md', skill('even', 'Odd.'))
    put(project.root, 'skills/empty/notes.md', 'x')
    const on = async (name: string) => {
      const refused = await project.call('orchestrate.spawn', { id: 'T004', skills: [name] })
      return refused.ok ? undefined : [refused.exit, refused.message, refused.fix]
    }
    expect(await on('crm')).toEqual([
      6,
      'The skill "crm" cannot be loaded: skills/crm/SKILL.md:4 is not plain YAML: a value starts with a quote that is never closed.',
      'cleo skills validate crm',
    ])
    const why =
      'skills/cpp/SKILL.md:2 has the name "C++", which contains "+"; a name begins with a letter or digit, and may also have spaces and . _ : -'
    expect(await on('C++')).toEqual([
      6,
      `The skill "C++" cannot be loaded: ${why}.`,
      'cleo skills validate cpp',
    ])
    expect(await on('cpp')).toEqual([
      6,
      `The skill "cpp" cannot be loaded: ${why}.`,
      'cleo skills validate cpp',
    ])
    expect((await on('odd'))?.[1]).toContain('has the name "even", which differs from its folder, "odd"')
    expect((await on('empty'))?.[1]).toContain('skills/empty has no SKILL.md')
    expect(await project.call('skills.validate', { skill: 'crm' })).toMatchObject({ code: 'content.invalid' })
  }))

const collection: Record<string, string> = {
  pptx: 'Presentation creation, editing, and analysis. When you work with presentations (.pptx files) for creating new presentations or modifying content.',
  pdf: 'Comprehensive PDF manipulation toolkit for extracting text and tables, creating new PDFs, merging documents, and handling forms.',
  xlsx: 'Comprehensive spreadsheet creation, editing, and analysis with support for formulas, formatting and data visualization.',
  'brand-guidelines':
    'Applies official brand colors and typography to any sort of artifact that may benefit from it.',
  'webapp-testing':
    'Toolkit for testing local web applications using Playwright; verifies frontend functionality and captures screenshots.',
  'algorithmic-art':
    'Creating algorithmic art using p5.js with seeded randomness and interactive parameter exploration.',
  'internal-comms':
    'Resources to write internal communications: status reports, newsletters, FAQs, incident reports, project updates.',
  'mcp-builder':
    'Guide for creating high-quality MCP servers that enable models to interact with external services through tools.',
  'slack-gif-creator':
    'Toolkit for creating animated GIFs optimized for Slack, with validators for size constraints.',
  'frontend-design':
    'Create distinctive frontend interfaces: web components, pages, dashboards, landing pages and login forms.',
  terraform: 'Write and review Terraform modules for AWS, with state locking and policy checks.',
}

test('[SKILL-7] the fallback suggests skills that fit a title, and none for ordinary titles', () =>
  withTemp(async (root) => {
    for (const [name, description] of Object.entries(collection))
      put(root, `.home/.claude/skills/${name}/SKILL.md`, skill(name, description))
    const skills = (await openCatalogue(opened(root))).list()
    const on = (title: string) => suggestSkills(skills, title)
    expect(on('Create a PowerPoint deck')).toEqual(['pptx'])
    expect(on('Export the invoice as PDF')).toEqual(['pdf'])
    expect(on('Quarterly report as an Excel sheet')).toEqual(['xlsx'])
    expect(on('Animated GIF of the logo for Slack')).toEqual(['slack-gif-creator'])
    expect(on('Playwright screenshots of the shop')).toEqual(['webapp-testing'])
    const all = [...ownOrdinary, ...ownTraps, ...trackerOrdinary, ...trackerTraps]
    expect(all.flatMap(([title]) => on(title))).toEqual([])
  }))

test('[SKILL-7] spawn prints the suggestion with the fallback only, and only of trusted skills', () =>
  withOrdinary(async (project) => {
    put(project.root, 'skills/pptx/SKILL.md', skill('pptx', collection['pptx']!))
    await project.must('tasks.update', { id: 'T004', title: 'Create a PowerPoint deck', files: [] })
    expect(await spawned(project)).not.toHaveProperty('suggestedSkills')
    await project.must('admin.trust', { yes: true })
    expect(await spawned(project)).toMatchObject({ suggestedSkills: ['pptx'] })
    expect(await project.must('orchestrate.spawn', { id: 'T004', ref: true })).toMatchObject({
      suggestedSkills: ['pptx'],
    })
    expect(await spawned(project, { skills: ['ct-validator'] })).not.toHaveProperty('suggestedSkills')
    expect(await spawned(project, { protocol: 'research' })).not.toHaveProperty('suggestedSkills')
  }))
