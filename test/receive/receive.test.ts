import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { returnLines, returnWords } from '../../src/kernel/return-line.ts'
import * as links from '../../src/manifest/sql/links.ts'
import {
  onEveryStore,
  onSqlite,
  type TestProject,
  type WithProject,
  withProject,
} from '../support/project.ts'
import { rulings } from '../support/subagent.ts'

type Status = 'complete' | 'partial' | 'blocked'

const said = (status: Status, word = 'Research') =>
  returnLines(word).find((line) => line.startsWith(`${word} ${status}`))!

/** Adds three research tasks. The second depends on the first, and the third on none. */
const plant = async (project: TestProject): Promise<void> => {
  await project.must('tasks.add', {
    batch: [
      { key: 'e', title: 'Accounts', type: 'epic' },
      { key: 'a', title: 'Compare hashing', parent: 'e', labels: ['research'], description: 'Which?' },
      { title: 'Compare queues', parent: 'e', labels: ['research'], description: 'Which?', depends: ['a'] },
      { title: 'Compare mailers', parent: 'e', labels: ['research'], description: 'Which?', priority: 'low' },
    ],
  })
}

const withPlanted = (withProject: WithProject, work: (project: TestProject) => Promise<void>) =>
  withProject(async (project) => {
    await plant(project)
    await work(project)
  })

const spawned = (project: TestProject, id = 'T002') =>
  project.must('orchestrate.spawn', { id, ref: true }) as Promise<{ spawnId: string }>

type Given = Parameters<typeof handIn>[2]

/** Does what a subagent does before it returns, except for completing the task. */
const handIn = async (
  project: TestProject,
  spawn: string,
  {
    output = '# Findings\n\nOne is fast.\n\n## References\n\n- RFC 9106\n',
    ...entry
  }: { status: Status; output?: string } & Record<string, unknown>,
): Promise<string> => {
  const agent = project.as(spawn)
  await agent.must('focus.set', { id: spawn.split('.')[0]! })
  const file = join(
    project.root,
    'claudedocs/agent-outputs',
    `${spawn.split('.')[0]}-${spawn.split('.')[1]}.md`,
  )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, output)
  const finding = ['One is fast.', 'One is slow.', 'The first is the choice.']
  const { id } = await agent.must('pipeline.manifest.append', { finding, file, ...entry })
  return id
}

const complete: Given = { status: 'complete' }
const blocked: Given = { status: 'blocked', blocker: 'missing context', text: 'Nobody says which region.' }
const partial = (...followup: string[]): Given => ({ status: 'partial', followup })

/** A manifest line as agents of the old protocol write it. */
const byHand = {
  id: 'T002-hashing',
  file: 'T002-hashing.md',
  title: 'Hashing',
  date: '2026-01-01',
  status: 'complete',
  agent_type: 'research',
  key_findings: ['One.', 'Two.', 'Three.'],
}

const receive = (project: TestProject, message: string, more: { id?: string; noFollowUps?: boolean } = {}) =>
  project.call('orchestrate.receive', { id: 'T002', message, ...more })

const statusOf = async (project: TestProject, id = 'T002') =>
  (await project.must('tasks.show', { id })).status

const linksOf = async (project: TestProject, id: string) =>
  (await links.ofTask(await project.store(), id)).map(({ entry }) => entry)

onSqlite((withProject) => {
  test('[ORCH-5] a task that its subagent completed is checked and reported', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const entry = await handIn(project, 'T002.1', complete)
      await project.as('T002.1').must('tasks.complete', { id: 'T002' })
      const first = await receive(project, said('complete'))
      expect(first).toMatchObject({
        ok: true,
        value: { taskId: 'T002', outcome: 'complete', unblocked: ['T003'], next: 'T003' },
      })
      expect(await linksOf(project, 'T002')).toEqual([entry])
      expect(await receive(project, `${said('complete')}\r\n`)).toEqual(first)
    }))

  test('[ORCH-5] receive completes the task if the subagent forgot to', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', complete)
      expect(await receive(project, said('complete'))).toMatchObject({
        value: { outcome: 'complete', unblocked: ['T003'], next: 'T003' },
      })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({
        status: 'done',
        outcome: 'complete',
      })
    }))

  test('[ORCH-5] a partial entry ends the task as partial', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory'))
      expect(await receive(project, said('partial'))).toMatchObject({ value: { outcome: 'partial' } })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({
        status: 'done',
        outcome: 'partial',
      })
    }))

  test('[ORCH-5] a blocked entry blocks the task with its reason', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', blocked)
      const why = 'missing context: Nobody says which region.'
      for (let time = 0; time < 2; time++)
        expect(await receive(project, said('blocked'))).toMatchObject({
          value: { outcome: 'blocked', unblocked: [], why, next: 'T004' },
        })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({
        status: 'blocked',
        reason: why,
      })
    }))

  test('[ORCH-5] a subagent without an entry is refused with 62, and the next prompt says why', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      expect(await receive(project, said('complete'))).toMatchObject({
        code: 'manifest.missing',
        exit: 62,
        message: 'T002.1 claims to be done, but submitted no manifest entry.',
        problems: [{ path: 'manifest entry' }, { path: 'documented' }],
        fix: 'cleo respawn T002 --ref',
        retryable: false,
      })
      expect(await statusOf(project)).toBe('active')
      const { spawnId, prompt } = (await project.must('orchestrate.respawn', { id: 'T002' })) as {
        spawnId: string
        prompt: string
      }
      expect(spawnId).toBe('T002.2')
      expect(prompt).toContain(
        '### Last Attempt\nThe last attempt was refused: it appended no manifest entry.',
      )
      expect(await project.must('orchestrate.respawn', { id: 'T002', ref: true })).toMatchObject({
        spawnId: 'T002.2',
        noChange: true,
      })
      await handIn(project, 'T002.2', complete)
      expect(await receive(project, said('complete'))).toMatchObject({ value: { outcome: 'complete' } })
    }))

  test('[ORCH-5] after a refused return the subagent may still submit', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await receive(project, 'Done!')
      await handIn(project, 'T002.1', complete)
      expect(await receive(project, said('complete'))).toMatchObject({ value: { outcome: 'complete' } })
    }))

  test('[ORCH-5] an agent at work whose return is not on record is not replaced', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const respawn = () => project.call('orchestrate.respawn', { id: 'T002', ref: true })
      expect(await respawn()).toMatchObject({ code: 'spawn.out', exit: 35 })
      await receive(project, 'Done!')
      await project.as('T002.1').must('focus.clear', {})
      await project.as('grace').must('focus.set', { id: 'T002' })
      expect(await respawn()).toMatchObject({ code: 'claim.held', exit: 35 })
      await project.as('grace').must('focus.clear', {})
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      expect(await respawn()).toMatchObject({ value: { spawnId: 'T002.2' } })
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      expect(await respawn()).toMatchObject({ code: 'spawn.out', exit: 35 })
      const late = await project.as('T002.1').call('pipeline.manifest.append', { status: 'complete' })
      expect(late).toMatchObject({ code: 'spawn.superseded', exit: 35 })
    }))

  test('[ORCH-5] a line that contradicts the entry is a warning, and the entry decides', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const entry = await handIn(project, 'T002.1', partial('Measure memory'))
      expect(await receive(project, said('complete'))).toMatchObject({
        value: { outcome: 'partial' },
        warnings: [`BASE-002: T002.1: it returned complete, but its entry ${entry} has status partial`],
      })
      await spawned(project, 'T004')
      await handIn(project, 'T004.1', blocked)
      expect(await receive(project, said('complete'), { id: 'T004' })).toMatchObject({
        value: { outcome: 'blocked' },
        warnings: [expect.stringContaining('BASE-002')],
      })
    }))

  test('[ORCH-5] without a message the submitted work alone decides', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const facts = () => project.call('orchestrate.receive', { id: 'T002' })
      expect(await facts()).toMatchObject({
        code: 'manifest.missing',
        message: 'T002.1 submitted no manifest entry.',
      })
      await handIn(project, 'T002.1', complete)
      expect(await facts()).toMatchObject({ value: { outcome: 'complete', next: 'T003' }, warnings: [] })
    }))

  test('[ORCH-5] [MANI-2] a line in quarantine is named with its reason, in the refusal and in the next prompt', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const folder = join(project.root, 'claudedocs/agent-outputs')
      writeFileSync(
        join(folder, 'MANIFEST.jsonl'),
        `${JSON.stringify({ ...byHand, status: 'finished', id: 'T002-x' })}\n`,
      )
      const reason = 'status must be one of complete, partial, blocked, not "finished"'
      const refused = await project.as('T002.1').call('tasks.complete', { id: 'T002' })
      expect(refused).toMatchObject({ code: 'manifest.missing', exit: 62 })
      expect(JSON.stringify(refused)).toContain(JSON.stringify(reason).slice(1, -1))
      expect(await receive(project, said('complete'))).toMatchObject({
        code: 'manifest.missing',
        exit: 62,
        message: `T002.1 claims to be done, but submitted a line that could not be read as an entry: ${reason}`,
      })
      const { prompt } = (await project.must('orchestrate.respawn', { id: 'T002' })) as { prompt: string }
      expect(prompt).toMatch(
        /The last attempt was refused: its manifest line could not be read as an entry:\n<data-\w+ from="last-attempt">status must be one of/,
      )
      expect(prompt).not.toContain('appended no manifest entry')
    }))

  test('[MANI-3] a line of research with two findings is the entry of its spawn', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const folder = join(project.root, 'claudedocs/agent-outputs')
      writeFileSync(join(folder, 'T002-hashing.md'), '# Findings\n\nOne is fast.\n')
      const line = { ...byHand, key_findings: ['One.', 'Two.'] }
      writeFileSync(join(folder, 'MANIFEST.jsonl'), `${JSON.stringify(line)}\n`)
      expect(await project.call('pipeline.manifest.show', { id: 'T002' })).toMatchObject({
        value: { key_findings: ['One.', 'Two.'] },
        warnings: ['T002-hashing: key_findings research needs 3 to 7 findings, not 2'],
      })
      expect(await project.must('pipeline.manifest.quarantine', {})).toEqual({ lines: [] })
    }))

  test('[ORCH-5] --all takes every spawn that has submitted, dependencies first', () =>
    withPlanted(withProject, async (project) => {
      await project.must('tasks.add', {
        title: 'Compare regions',
        parent: 'T001',
        labels: ['research'],
        description: 'Which?',
      })
      for (const id of ['T005', 'T004', 'T002']) await spawned(project, id)
      await handIn(project, 'T004.1', blocked)
      await handIn(project, 'T002.1', complete)
      // T004 was spawned first, but now depends on T002.
      await project.must('tasks.update', { id: 'T004', addDepends: ['T002'] })
      const all = () => project.must('orchestrate.receive', { all: true })
      expect(await all()).toEqual({
        received: [
          { taskId: 'T002', outcome: 'complete', unblocked: ['T003'] },
          { taskId: 'T004', outcome: 'blocked', unblocked: [], why: expect.stringContaining('region') },
        ],
      })
      expect(await all()).toEqual({ received: [] })
      await handIn(project, 'T005.1', complete)
      rmSync(join(project.root, 'claudedocs/agent-outputs/T005-1.md'))
      expect(await all()).toMatchObject({
        received: [{ taskId: 'T005', outcome: 'refused', code: 'output.missing', exit: 62 }],
      })
      writeFileSync(
        join(project.root, 'claudedocs/agent-outputs/T005-1.md'),
        '# Findings\n\nOne is fast.\n\n## References\n\n- RFC 9106\n',
      )
      expect(await all()).toMatchObject({ received: [{ taskId: 'T005', outcome: 'complete' }] })
      expect(await project.call('orchestrate.receive', {})).toMatchObject({ code: 'input.invalid' })
      expect(await project.call('orchestrate.receive', { all: true, id: 'T002' })).toMatchObject({
        code: 'input.invalid',
      })
    }))

  test('[SESS-4] a person accepts a replaced attempt, until another one was received', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const entry = await handIn(project, 'T002.1', complete)
      const first = (as = project) => as.call('orchestrate.receive', { id: 'T002', attempt: 1 })
      await project.as('T002.1').must('focus.clear', {})
      await project.must('orchestrate.respawn', { id: 'T002', tier: 2, ref: true })
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      expect(await first(project.as('T002.2'))).toMatchObject({ code: 'orchestrator.needed', exit: 64 })
      expect(await project.call('orchestrate.receive', { id: 'T002', attempt: 7 })).toMatchObject({
        code: 'spawn.not_found',
      })
      expect(await first()).toMatchObject({ value: { outcome: 'complete', unblocked: ['T003'] } })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({ status: 'done' })
      expect(await linksOf(project, 'T002')).toEqual([entry])
      const late = await project.as('T002.2').call('tasks.complete', { id: 'T002' })
      expect(late).toMatchObject({ value: { noChange: true } })
    }))

  test('[SESS-4] after another attempt was received, the replaced one no longer counts', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', complete)
      await project.as('T002.1').must('focus.clear', {})
      await project.must('orchestrate.respawn', { id: 'T002', tier: 2, ref: true })
      await handIn(project, 'T002.2', blocked)
      await receive(project, said('blocked'))
      expect(await project.call('orchestrate.receive', { id: 'T002', attempt: 1 })).toMatchObject({
        code: 'spawn.received',
        exit: 35,
        message:
          'For T002, CLEO has already accepted the work of spawn T002.2, so it cannot accept the work of spawn T002.1.',
      })
    }))

  test('[ORCH-5] the output file of the entry must exist, whichever actor completed the task', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', complete)
      const remove = () => rmSync(join(project.root, 'claudedocs/agent-outputs/T002-1.md'))
      remove()
      expect(await receive(project, said('complete'))).toMatchObject({ code: 'output.missing', exit: 62 })
      writeFileSync(
        join(project.root, 'claudedocs/agent-outputs/T002-1.md'),
        '# Findings\n\nOne is fast.\n\n## References\n\n- RFC 9106\n',
      )
      await project.as('T002.1').must('tasks.complete', { id: 'T002' })
      remove()
      expect(await receive(project, said('complete'))).toMatchObject({ code: 'output.missing', exit: 62 })
    }))

  test('[ORCH-5] a line by hand in the manifest counts', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const folder = join(project.root, 'claudedocs/agent-outputs')
      writeFileSync(
        join(folder, 'T002-hashing.md'),
        '# Findings\n\nOne is fast.\n\n## References\n\n- RFC 9106\n',
      )
      writeFileSync(join(folder, 'MANIFEST.jsonl'), `${JSON.stringify(byHand)}\n`)
      expect(await receive(project, said('complete'))).toMatchObject({ value: { outcome: 'complete' } })
    }))

  test('[ORCH-5] the latest spawn is judged, whichever attempt returned', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', complete)
      await project.as('T002.1').must('focus.clear', {})
      await project.must('orchestrate.respawn', { id: 'T002', tier: 2, ref: true })
      expect(await receive(project, said('complete'))).toMatchObject({
        code: 'manifest.missing',
        message: 'T002.2 claims to be done, but submitted no manifest entry.',
      })
    }))

  test('[ORCH-5] a task that was never spawned has nothing to receive', () =>
    withPlanted(withProject, async (project) => {
      expect(await receive(project, said('complete'))).toMatchObject({ code: 'spawn.none', exit: 4 })
      const missing = await receive(project, said('complete'), { id: 'T099' })
      expect(missing).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))

  test('[ORCH-5] a blocked entry does not block a task that another agent works on', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', blocked)
      await project.as('T002.1').must('focus.clear', {})
      await project.as('grace').must('focus.set', { id: 'T002' })
      expect(await receive(project, said('blocked'))).toMatchObject({ code: 'claim.held', exit: 35 })
      expect(await statusOf(project)).toBe('active')
    }))

  test('[ORCH-5] a decomposed epic completes with its tasks, not with the return', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
      await spawned(project, 'T001')
      const agent = project.as('T001.1')
      await agent.must('focus.set', { id: 'T001' })
      await agent.must('tasks.add', {
        title: 'Form',
        parent: 'T001',
        description: 'The form.',
        acceptance: ['it is there'],
      })
      const file = join(project.root, 'claudedocs/agent-outputs/T001-parts.md')
      writeFileSync(file, '# Parts\n\nTwo of them.\n')
      await agent.must('pipeline.manifest.append', { status: 'complete', finding: ['One part.'], file })
      expect(await receive(project, said('complete', 'Decomposition'), { id: 'T001' })).toMatchObject({
        value: { taskId: 'T001', outcome: 'complete', next: 'T002' },
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
      await project.must('tasks.complete', { id: 'T002' })
      expect(await statusOf(project, 'T001')).toBe('done')
    }))
})

describe('replies that are not the line alone', () => {
  const hand = 'The text below is the final report of a subagent. The report follows:'
  const usage = '<usage>subagent_tokens: 4347\ntool_uses: 12\nduration_ms: 3049</usage>'
  const line = said('complete')

  test.each([
    ['nothing', '', 'empty message'],
    ['1 MB of content', `${'argon2id '.repeat(115_000)}\n${line}`, 'more than the return line'],
    ['trailing text', `${line} Bye.`, 'more than the return line'],
    ['another language', 'Recherche abgeschlossen.', '"Recherche abgeschlossen." is'],
    ['another protocol', said('complete', 'Release'), `"${said('complete', 'Release')}" is`],
    ['orders to a terminal', '\u001b[2J\u202e\u0000ok', '"\\u{1b}[2J\\u{202e}\\u{0}ok" is'],
    ['half a character', 'ok \ud800', '"ok \ufffd" is'],
    ['two lines that differ', `${line}\n${said('blocked')}`, 'is not one of'],
    ['a need', 'need skill: ct-release', undefined],
    [
      "Claude's frame",
      `  [Subagent hand-back] ${hand}\n  ${line}\nagentId: a0 (use it)\n${usage}`,
      undefined,
    ],
    ['a fence and two spaces', `\`\`\`\n${line.replace(' ', '  ')}\n\`\`\``, undefined],
    ['the line twice', `${line}\n${line}\n`, undefined],
  ])(
    '[ORCH-5] %s is at most a warning when the work is there, and never a reason to respawn',
    (_, message, what) =>
      withPlanted(withProject, async (project) => {
        await spawned(project)
        await handIn(project, 'T002.1', complete)
        const answer = await receive(project, message)
        expect(answer).toMatchObject({ value: { outcome: 'complete', next: 'T003' } })
        expect(answer.warnings).toEqual(what ? [expect.stringContaining(what)] : [])
        expect(JSON.stringify(answer).length).toBeLessThan(400)
        expect(await statusOf(project)).toBe('done')
      }),
  )

  test('[ORCH-5] without work, the missing work decides the exit and the line is one problem more', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const refused = await receive(project, `${'argon2id '.repeat(9000)}`)
      expect(refused).toMatchObject({
        code: 'manifest.missing',
        exit: 62,
        fix: 'cleo respawn T002 --ref',
        alternatives: returnLines('Research'),
        problems: [{ path: 'manifest entry' }, { path: 'documented' }, { path: 'return line' }],
      })
      expect(JSON.stringify(refused).length).toBeLessThan(900)
      const { prompt } = (await project.must('orchestrate.respawn', { id: 'T002' })) as { prompt: string }
      expect(prompt).toContain('it appended no manifest entry.')
      expect(prompt).not.toContain('argon2id argon2id')
    }))

  test('[ORCH-5] the rule BASE-002 reports the line, and validate does not fail for it', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', complete)
      await receive(project, 'All done!')
      expect((await rulings(project, 'T002'))['BASE-002']).toEqual([
        'warning',
        'the subagent did not return an allowed line; the work was accepted',
      ])
    }))

  test('[ORCH-5] no line completes what the entry does not say is complete', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', blocked)
      await receive(project, said('complete'))
      expect(await statusOf(project), 'the line alone decides nothing').toBe('blocked')
    }))

  test('[ORCH-5] the lines a prompt names are the lines that are allowed', () =>
    withPlanted(withProject, async (project) => {
      for (const [stage, protocol] of [
        ['research', 'research'],
        ['testing', 'implementation'],
        ['architecture-decision', 'specification'],
        ['validation', 'research'],
      ] as const) {
        await project.must('tasks.update', { id: 'T004', stage })
        const { prompt } = (await project.must('orchestrate.spawn', { id: 'T004', protocol })) as {
          prompt: string
        }
        for (const line of returnLines(returnWords(protocol, stage)[0]!))
          expect(prompt).toContain(`\n${line}\n`)
      }
    }))
})

describe('what a subagent was missing', () => {
  test('[SKILL-10] a need line releases the task, and the next spawn includes the skill', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      expect(await receive(project, 'need skill: ct-spec-writer\n')).toEqual({
        ok: true,
        value: {
          taskId: 'T002',
          outcome: 'needs',
          skill: 'ct-spec-writer',
          then: 'cleo respawn T002 --ref',
        },
        warnings: [],
      })
      expect(await statusOf(project)).toBe('pending')
      const next = await project.must('orchestrate.respawn', { id: 'T002' })
      expect(next).toMatchObject({
        spawnId: 'T002.2',
        skills: [{ name: 'ct-research-agent' }, { name: 'ct-spec-writer' }],
      })
      expect('prompt' in next && next.prompt).not.toContain('### Last Attempt')
    }))

  test.each(['orchestrate.spawn', 'orchestrate.respawn'] as const)(
    '[SKILL-10] a need in a frame is found, and %s carries it, also when it is asked twice',
    (command) =>
      withPlanted(withProject, async (project) => {
        await spawned(project)
        expect(await receive(project, '<result>\n`need skill: ct-spec-writer`\n</result>')).toMatchObject({
          value: { outcome: 'needs', skill: 'ct-spec-writer' },
        })
        for (const noChange of [undefined, true] as const)
          expect(await project.must(command, { id: 'T002' })).toMatchObject({
            spawnId: 'T002.2',
            skills: [{ name: 'ct-research-agent' }, { name: 'ct-spec-writer' }],
            ...(noChange && { noChange }),
          })
      }),
  )

  test('[SKILL-10] spawn carries the files that a blocked output refers to', () =>
    withPlanted(withProject, async (project) => {
      writeFileSync(join(project.root, 'guide.md'), 'Use argon2id.\n')
      await spawned(project)
      await handIn(project, 'T002.1', { ...blocked, output: 'See @guide.md\n' })
      await receive(project, said('blocked'))
      await project.must('tasks.unblock', { id: 'T002' })
      const { prompt } = (await project.must('orchestrate.spawn', { id: 'T002' })) as { prompt: string }
      expect(prompt).toContain('The last attempt was missing this file:')
      expect(prompt).toContain('Use argon2id.')
    }))

  test('[SKILL-10] a deeper level, a missing skill, and a closed task', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      expect(await receive(project, 'need level: ct-epic-architect L2')).toMatchObject({
        value: { outcome: 'needs', skill: 'ct-epic-architect' },
      })
      expect(await project.must('orchestrate.respawn', { id: 'T002' })).toMatchObject({
        skills: [{ name: 'ct-research-agent' }, { name: 'ct-epic-architect', strategy: 'comprehensive' }],
      })
      const unknown = await receive(project, 'need skill: ct-relase')
      expect(unknown).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('There is no skill "ct-relase". Did you mean "ct-release"?')],
      })
      await project.must('tasks.cancel', { id: 'T002', reason: 'not wanted' })
      expect(await receive(project, 'need skill: ct-release')).toMatchObject({ code: 'task.status', exit: 6 })
    }))

  test('[SKILL-10] the next prompt includes the files that a blocked output refers to', () =>
    withPlanted(withProject, async (project) => {
      mkdirSync(join(project.root, 'docs'))
      writeFileSync(join(project.root, 'docs/regions.md'), 'Regions: north and south.\n')
      writeFileSync(join(project.root, 'docs/code.md'), 'Only in code.\n')
      writeFileSync(join(project.root, '.env.md'), 'SECRET=1\n')
      await spawned(project)
      await handIn(project, 'T002.1', {
        ...blocked,
        output:
          '# Hashing\n\nSee @docs/regions.md, @skills/ct-spec-writer and @docs/missing.md.\n`@docs/code.md` @.env.md @../out.md\n',
      })
      await receive(project, said('blocked'))
      await project.must('tasks.unblock', { id: 'T002' })
      const next = (await project.must('orchestrate.respawn', { id: 'T002' })) as {
        prompt: string
        skills: { name: string }[]
        warnings: string[]
      }
      expect(next.prompt).toMatch(
        /The last attempt was missing this file:\n<data-\w+ from="docs\/regions.md">Regions: north and south.<\/data-/,
      )
      expect(next.skills.map(({ name }) => name)).toEqual(['ct-research-agent', 'ct-spec-writer'])
      expect(next.prompt).not.toContain('Only in code.')
      expect(next.prompt).not.toContain('SECRET')
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      await project.as('T002.2').must('focus.clear', {})
      rmSync(join(project.root, 'docs/regions.md'))
      expect(await project.must('orchestrate.respawn', { id: 'T002' })).toMatchObject({
        spawnId: 'T002.3',
        warnings: ['docs/regions.md, which the last attempt was missing, is left out: it does not exist'],
      })
    }))

  test('[SKILL-10] a large file is left out with a warning', () =>
    withPlanted(withProject, async (project) => {
      writeFileSync(join(project.root, 'large.md'), 'Much text.\n'.repeat(5000))
      await spawned(project)
      await handIn(project, 'T002.1', { ...blocked, output: 'See @large.md\n' })
      await receive(project, said('blocked'))
      await project.must('tasks.unblock', { id: 'T002' })
      expect(await project.must('orchestrate.respawn', { id: 'T002' })).toMatchObject({
        warnings: ['large.md, which the last attempt was missing, is left out: it is larger than 16 KiB'],
      })
    }))
})

onEveryStore((withProject) => {
  const left = ['Measure memory', 'T004', 'T999', 'Measure\nmemory', 'Ask for the region']

  /** Adds empty follow-ups to an entry. `append` refuses them, but an entry from another source can have them. */
  const nameNothing = async (project: TestProject, entry: string) => {
    const db = await project.store()
    const row = await db.get<{ body: string }>('SELECT body FROM entries WHERE id = ?', entry)
    const body = JSON.parse(row!.body) as { needs_followup: unknown[] }
    body.needs_followup.push('', ' \n ', 7, null)
    await db.run('UPDATE entries SET body = ? WHERE id = ?', JSON.stringify(body), entry)
  }

  test('[ORCH-5] follow-ups become tasks once, ids are linked, and empty ones are a warning', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const entry = await handIn(project, 'T002.1', partial(...left))
      await nameNothing(project, entry)
      const first = await receive(project, said('partial'))
      expect(first).toMatchObject({
        value: { outcome: 'partial', followUps: ['T005', 'T006'] },
        warnings: ['follow-up T999 is not a task', 'empty follow-ups were ignored: 2'],
      })
      expect(await project.must('tasks.show', { id: 'T005' })).toMatchObject({
        title: 'Measure memory',
        description: `Measure memory\n\nLeft open by T002; its entry is ${entry}.`,
        parent: 'T001',
        type: 'task',
        status: 'pending',
        origin: 'T002.1',
      })
      expect(await linksOf(project, 'T004')).toEqual([entry])
      expect(await linksOf(project, 'T005')).toEqual([entry])
      await project.must('tasks.update', { id: 'T005', title: 'Measure the memory of both' })
      await project.must('tasks.cancel', { id: 'T006', reason: 'known by now' })
      const again = await receive(project, said('partial'))
      expect(again.ok && 'followUps' in again.value).toBe(false)
      expect(await project.call('tasks.show', { id: 'T007' })).toMatchObject({ code: 'task.not_found' })
    }))

  test('[ORCH-5] --no-follow-ups leaves the open points, and a later receive makes tasks of them', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory'))
      const first = await receive(project, said('partial'), { noFollowUps: true })
      expect(first).toMatchObject({ value: { outcome: 'partial', unblocked: ['T003'] } })
      expect(first).not.toHaveProperty('value.followUps')
      expect(await receive(project, said('partial'))).toMatchObject({
        value: { followUps: ['T005'], unblocked: [] },
      })
    }))

  test('[GATE-1] dependents of a partial task wait for its follow-ups, unless they are released', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory', 'T004'))
      expect(await receive(project, said('partial'))).toMatchObject({
        value: { followUps: ['T005'], unblocked: [], next: 'T005' },
      })
      expect(await project.must('tasks.show', { id: 'T003' })).toMatchObject({ depends: ['T002', 'T005'] })
      const { tasks } = await project.must('orchestrate.ready', {})
      expect(tasks.map(({ id }) => id)).not.toContain('T003')
      expect(await project.call('orchestrate.receive', { id: 'T002', release: true })).toMatchObject({
        value: { unblocked: ['T003'] },
      })
      expect(await project.must('tasks.show', { id: 'T003' })).toMatchObject({ depends: ['T002'] })
      expect(await project.call('admin.doctor', {})).toMatchObject({ ok: true })
    }))

  test('[GATE-1] the follow-up frees the dependents, and a parent with a partial task is partial', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory'))
      await receive(project, said('partial'))
      expect(await project.must('tasks.complete', { id: 'T005' })).toMatchObject({ unblocked: ['T003'] })
      await project.must('tasks.complete', { id: 'T004' })
      expect(await project.call('tasks.complete', { id: 'T003' })).toMatchObject({
        value: { completed: ['T001'] },
        warnings: ['T001 is done in part: T002 left work open'],
      })
      expect(await project.must('tasks.show', { id: 'T001' })).toMatchObject({
        status: 'done',
        outcome: 'partial',
      })
      const { tasks } = await project.must('tasks.list', { status: 'done' })
      expect(tasks.flatMap(({ id, outcome }) => (outcome ? [id] : []))).toEqual(['T001', 'T002'])
    }))

  test('[ORCH-5] an epic that completed with its last task is reopened for follow-ups', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', {
        title: 'Hashing',
        parent: 'T001',
        labels: ['research'],
        description: 'x',
      })
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory'))
      await project.as('T002.1').must('tasks.complete', { id: 'T002' })
      expect(await statusOf(project, 'T001')).toBe('done')
      expect(await receive(project, said('partial'))).toMatchObject({
        value: { followUps: ['T003'], next: 'T003' },
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
    }))

  test('[ORCH-5] [OUT-4] the answer lists a few, and at most twenty are made', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      const many = Array.from({ length: 30 }, (_, i) => `${'𒐫'.repeat(i === 0 ? 150 : 1)} ${i}`)
      await handIn(project, 'T002.1', partial(...many))
      expect(await receive(project, said('partial'))).toMatchObject({
        value: { followUps: ['T005', 'T006', 'T007', 'T008'], moreFollowUps: 16 },
      })
      const { title } = await project.must('tasks.show', { id: 'T005' })
      expect(title.length).toBeLessThanOrEqual(200)
      expect(title.endsWith('…')).toBe(true)
    }))

  test('[ORCH-5] two concurrent receives make one set', () =>
    withPlanted(withProject, async (project) => {
      await spawned(project)
      await handIn(project, 'T002.1', partial('Measure memory', 'Ask for the region'))
      await Promise.all([1, 2, 3].map(() => receive(project, said('partial'))))
      const { tasks } = await project.must('tasks.list', { parent: 'T001' })
      expect(tasks.map(({ id }) => id)).toEqual(['T003', 'T004', 'T005', 'T006'])
    }))
})

test('[ORCH-5] the work in a subagent’s worktree is found from any folder', () =>
  withPlanted(withProject, async (project) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        cwd: project.root,
      })
    git('init', '-q')
    writeFileSync(join(project.root, 'README.md'), '# Shop\n')
    git('add', 'README.md')
    git('commit', '-q', '-m', 'Start')
    const worktree = join(project.root, '.cleo/worktrees/T002')
    git('worktree', 'add', '-q', '--detach', worktree)
    await project.must('orchestrate.spawn', { id: 'T002', worktree, ref: true })
    await project.as('T002.1').must('focus.set', { id: 'T002' })
    const folder = join(worktree, 'claudedocs/agent-outputs')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'T002-hashing.md'),
      '# Findings\n\nOne is fast.\n\n## References\n\n- RFC 9106\n',
    )
    writeFileSync(join(folder, 'MANIFEST.jsonl'), `${JSON.stringify(byHand)}\n`)
    expect(await receive(project, said('complete'))).toMatchObject({ value: { outcome: 'complete' } })
    expect(await statusOf(project)).toBe('done')
  }))

test('[ORCH-5] every return is in the audit log, refused or not', () =>
  withPlanted(withProject, async (project) => {
    await spawned(project)
    await receive(project, 'Done!')
    await receive(project, 'need skill: ct-release')
    const entry = await handIn(project, 'T002.1', complete)
    await receive(project, said('complete'))
    const { entries } = await project.must('admin.log', { task: 'T002', operation: 'orchestrate.receive' })
    const receipts = entries.filter(({ after }) => typeof after === 'object' && 'spawn' in after!)
    expect(receipts.map(({ after }) => after).reverse()).toEqual([
      { spawn: 'T002.1', breach: 'manifest.missing', line: 'return.invalid' },
      { spawn: 'T002.1', returned: 'need', need: { skill: 'ct-release', level: 'L1' } },
      { spawn: 'T002.1', returned: 'complete', entry, made: [] },
    ])
  }))
