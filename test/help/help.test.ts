import { expect, test } from 'vitest'
import { allCommands } from '../../src/operation/commands.ts'
import { withProject } from '../support/project.ts'

test('[OPS-2] each tier adds operations to the one below, and tier 2 lists them all', () =>
  withProject(async (project) => {
    const tiers = []
    for (const tier of [0, 1, 2]) tiers.push((await project.must('admin.help', { tier })).operations)
    const [subagent, orchestrator, all] = tiers.map((each) => each.map(({ operation }) => operation))
    expect(orchestrator).toEqual(expect.arrayContaining(subagent!))
    expect(all).toEqual(expect.arrayContaining(orchestrator!))
    expect(all!.toSorted()).toEqual(
      allCommands()
        .map(({ operation }) => operation)
        .toSorted(),
    )
    expect(subagent).toContain('pipeline.manifest.append')
    expect(subagent).not.toContain('orchestrate.spawn')
    expect(orchestrator).toContain('orchestrate.spawn')
    expect(orchestrator).not.toContain('admin.init')
  }))

test('[OPS-2] an operation is listed with its positionals and required flags', () =>
  withProject(async (project) => {
    const { tier, operations } = await project.must('admin.help', {})
    expect(tier).toBe(0)
    expect(operations.find(({ operation }) => operation === 'tasks.note')).toMatchObject({
      kind: 'mutate',
      use: 'cleo note <id> <text>',
    })
    expect(operations.find(({ operation }) => operation === 'tasks.show')?.kind).toBe('query')
  }))

test('[OPS-2] a tier that does not exist is refused', () =>
  withProject(async (project) => {
    for (const tier of [-1, 3, 0.5])
      expect(await project.call('admin.help', { tier })).toMatchObject({
        ok: false,
        code: 'input.invalid',
        problems: [{ path: 'tier' }],
      })
  }))
