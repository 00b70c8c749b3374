import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AgentTask } from '../../src/agent-processes/agent.ts'
import type { CallingContext, LivePicture } from '../../src/operation/context.ts'
import { driveFromPlan, recordRun } from '../../src/run/begin-run.ts'
import type { Proposal } from '../../src/run/plan.ts'
import { epicTitle } from '../../src/run/plan.ts'
import type { RunReport } from '../../src/run/report.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { inRepository } from '../support/worktrees.ts'
import { builds, resumeRun, usual, withContext } from './driven.ts'
import { memoryAgents, type Play } from './memory-agents.ts'

const row = (key: string, more: object = {}) => ({
  ...{ key, title: `Part ${key}`, parent: 'T001', description: 'It works.' },
  ...more,
})

/** An agent that splits the epic into these tasks, and builds the tasks of the plan. */
const splits =
  (project: TestProject, rows: readonly object[], refused?: (code: string) => void): Play =>
  async (task: AgentTask) => {
    if (task.task !== 'T001') return builds(project)(task)
    const as = project.as(task.spawn).from(task.folder)
    const { output } = await as.must('focus.set', { id: 'T001' })
    writeFileSync(
      output!,
      readFileSync(output!, 'utf8').replace('## Summary\n', '## Summary\n\nTwo tasks.\n'),
    )
    if (rows.length > 0) {
      const added = await as.call('tasks.add', { batch: rows } as never)
      if (!added.ok) {
        refused?.(added.code)
        return { lastMessage: added.message }
      }
    }
    await as.must('tasks.finish', { id: 'T001', finding: ['Two tasks.'] })
    return undefined
  }

/**
 * Drives a run from a plan. `key` is the key that the person presses when the plan is shown. Without `key`, there
 * is no terminal.
 */
const fromPlan = async (
  project: TestProject,
  play: Play,
  { key, yes = false }: { key?: string; yes?: boolean } = {},
) => {
  const agents = memoryAgents(play)
  const shown: string[] = []
  const show = (picture: LivePicture) => {
    if (!('y' in picture.keys)) return
    shown.push(picture.lines(plainStyle).join('\n'))
    if (key === 'interrupt') interrupt()
    else picture.keys[key!]!()
  }
  let interrupt: () => void = () => undefined
  const live: CallingContext['live'] = {
    ...{ tell: () => undefined, ...(key && { show }) },
    onInterrupt: (heard) => {
      interrupt = heard
    },
  }
  await project.must('tasks.add', { title: 'A page', type: 'epic', description: 'A page of orders.' })
  const result = await withContext(
    project,
    async (context) => {
      const options = { ...usual, plan: true as const }
      const recorded = await recordRun(context, 'T001', options)
      if (!recorded.ok) throw new Error(recorded.message)
      const driven = await driveFromPlan(context, recorded.value, options, agents, yes)
      if (!driven.ok) throw new Error(driven.message)
      return driven.value as Partial<Proposal & RunReport>
    },
    live,
  ).finally(agents.settle)
  return { result, shown, agents }
}

const same = (text: string) => text
const plainStyle = {
  ...{ cyan: same, dim: same, bold: same, red: same, green: same, yellow: same },
  table: (rows: string[][]) => rows.map((cells) => cells.join('  ').trimEnd()),
} as never

const two = [row('a'), row('b', { depends: ['a'] })]

onSqlite((withProject) => {
  test('[RUN-1] a plan is shown at a terminal; y drives it', () =>
    inRepository(withProject, async (project) => {
      const { result, shown } = await fromPlan(project, splits(project, two), { key: 'y' })
      expect(shown).toEqual([expect.stringContaining('T003  Part b  after T002')])
      expect(shown[0]).toContain('y drives this plan · n leaves it for later')
      expect(result).toMatchObject({ state: 'finished', merged: 2, then: 'cleo land T001' })
    }))

  test.each(['n', 'interrupt'])(
    '[RUN-1] after %s the tasks stay, nothing is driven, and a resume is the yes',
    (key) =>
      inRepository(withProject, async (project) => {
        const { result, agents } = await fromPlan(project, splits(project, two), { key })
        expect(result).toMatchObject({ run: 'R001', epic: 'T001', waves: [['T002'], ['T003']] })
        expect(result.then).toBe('cleo run resume R001')
        expect(agents.started).toEqual(['T001.1'])
        expect(await project.must('run.status', {})).toMatchObject({
          ...{ state: 'stopped', why: 'the plan waits for your yes', left: 2 },
        })
      }),
  )

  test('[RUN-1] without a terminal the run waits for a resume, unless the caller said yes before', () =>
    inRepository(withProject, async (project) => {
      const { result } = await fromPlan(project, splits(project, two))
      expect(result).toMatchObject({ run: 'R001', then: 'cleo run resume R001' })
      const store = await project.store()
      await store.run("UPDATE runs SET options = replace(options, ',\"plan\":true', '')")
      expect((await resumeRun(project, builds(project))).report).toMatchObject({ merged: 2 })
    }))

  test('[RUN-1] --yes drives the plan at once', () =>
    inRepository(withProject, async (project) => {
      const { result } = await fromPlan(project, splits(project, two), { yes: true })
      expect(result, JSON.stringify(result)).toMatchObject({ state: 'finished', merged: 2 })
    }))

  test('[RUN-3] an agent that plans nothing is sent back, then a person is asked; nothing else is started', () =>
    inRepository(withProject, async (project) => {
      const { result, agents } = await fromPlan(project, async () => ({ lastMessage: 'Planned.' }), {
        yes: true,
      })
      expect(agents.started).toHaveLength(3)
      expect(new Set(agents.started.map((spawn) => spawn.split('.')[0]))).toEqual(new Set(['T001']))
      expect(result).toMatchObject({ state: 'stopped', merged: 0 })
      expect(JSON.stringify(await project.must('inbox.list', {}))).toContain('T001')
    }))

  test('[RUN-3] a plan with a cycle is refused, and none of its tasks is kept', () =>
    inRepository(withProject, async (project) => {
      const cycle = [row('a', { depends: ['b'] }), row('b', { depends: ['a'] })]
      const codes: string[] = []
      const play = splits(project, cycle, (code) => codes.push(code))
      const { result } = await fromPlan(project, play, { yes: true })
      expect(new Set(codes)).toEqual(new Set(['cycle']))
      expect(result).toMatchObject({ merged: 0, tasks: [] })
      expect(JSON.stringify(await project.must('tasks.list', {}))).not.toContain('Part a')
    }))
})

test('[RUN-1] the title of the epic is the beginning of the sentence, cut at a word', () => {
  expect(epicTitle('  A page\n that lists all orders ')).toBe('A page that lists all orders')
  const long = epicTitle('word '.repeat(40))
  expect(long.length).toBeLessThanOrEqual(80)
  expect(long).toMatch(/word…$/)
})
