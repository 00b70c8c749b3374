import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'

/** Completes T002 under the research protocol. By default, its output file names no sources. */
const done = async (project: TestProject, text = '# Hashing\n\nargon2id.\n'): Promise<void> => {
  await addTask(project, { labels: ['research'] })
  for (let n = 0; n < 2; n++) await addTask(project)
  await handIn(await send(project, 'T002'), { text })
  await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
}

const promptOf = async (project: TestProject): Promise<string> =>
  ((await project.must('orchestrate.respawn', { id: 'T002', prompt: true })) as { document: string }).document

onEveryStore((withProject) => {
  test('[ORCH-5] the next prompt says why a task was reopened and which rules it broke', () =>
    withProject(async (made) => {
      const project = await configure(made, { compliance: 'warn' })
      await done(project)
      const broken = await project.call('orchestrate.validate', { id: 'T002' })
      expect(broken).toMatchObject({ code: 'compliance.failed', fix: 'cleo reopen T002 --reason "…"' })
      await project.must('tasks.reopen', { id: 'T002', reason: 'say where it is from' })
      expect((await project.must('tasks.show', { id: 'T002' })).notes).toMatchObject([
        { by: 'ada', text: 'Opened again: say where it is from' },
      ])
      const prompt = await promptOf(project)
      expect(prompt).toContain('- ada: Opened again: say where it is from')
      expect(prompt).toContain('The last attempt broke RSCH-002 of the protocol.')
      // No agent has started the next attempt yet, so its prompt still names the broken rule.
      await project.must('tasks.note', { id: 'T002', text: 'one more thing' })
      expect(await promptOf(project)).toContain('broke RSCH-002 of the protocol.')
    }))

  test('[GATE-1] a return that broke a rule is refused, and the next prompt names the rule', () =>
    withProject(async (project) => {
      await addTask(project, { labels: ['research'] })
      await handIn(await send(project, 'T002'), { text: '# Hashing\n\nargon2id.\n' })
      const answer = await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      expect(answer).toMatchObject({ code: 'rule.broken', exit: 60, problems: [{ path: 'RSCH-002' }] })
      expect(await promptOf(project)).toContain('The last attempt broke RSCH-002 of the protocol.')
    }))

  test('[ORCH-5] a task that kept its rules and was reopened is spawned without a breach', () =>
    withProject(async (project) => {
      await done(project, '# Hashing\n\n## References\n\n- RFC 9106\n')
      await project.must('tasks.reopen', { id: 'T002', reason: 'compare one more' })
      expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({ valid: true })
      expect(await promptOf(project)).not.toContain('Last Attempt')
    }))

  test('[ORCH-5] an epic is judged by submitted work; tasks that are out are listed apart', () =>
    withProject(async (project) => {
      await done(project, '# Hashing\n\n## References\n\n- RFC 9106\n')
      await send(project, 'T003')
      expect(await project.must('orchestrate.validate', { epic: 'T001' })).toMatchObject({
        valid: true,
        out: ['T003.1'],
        counts: { checked: 1, valid: 1, out: 1 },
      })
      expect(await project.call('orchestrate.validate', { id: 'T003' })).toMatchObject({ exit: 62 })
      await project.call('orchestrate.receive', { id: 'T003', message: 'Done!' })
      await send(project, 'T004')
      expect(await project.call('orchestrate.validate', { epic: 'T001' })).toMatchObject({
        exit: 62,
        message: expect.stringMatching(
          /^1 of 2 checked tasks breaks a rule; 1 more was not checked, because its subagent has not returned \(T004.1\): T003: BASE-001/,
        ),
      })
    }))

  test('[ORCH-5] from the fourth attempt on a warning says to ask a person', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      const warned: (string[] | undefined)[] = []
      for (let attempt = 2; attempt <= 4; attempt++) {
        await project.as(`T002.${attempt - 1}`).must('focus.set', { id: 'T002' })
        await project.call('orchestrate.receive', { id: 'T002', message: 'Done!' })
        const again = await project.must('orchestrate.respawn', { id: 'T002', ref: true })
        expect(again).toMatchObject({ spawnId: `T002.${attempt}` })
        warned.push((again as { warnings?: string[] }).warnings)
      }
      const often = expect.stringContaining('T002 was spawned 3 times before: ask a person')
      expect(warned).toEqual([undefined, undefined, [often]])
    }))

  test('[ORCH-5] an agent that asks for an unknown skill is followed by an attempt without it', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      const message = 'need skill: ct-nowhere'
      expect(await project.call('orchestrate.receive', { id: 'T002', message })).toMatchObject({
        value: { outcome: 'needs', then: 'cleo skills find ct-nowhere' },
        warnings: [expect.stringContaining('ct-nowhere')],
      })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.as('T002.1').must('focus.clear', {})
      expect(await project.must('orchestrate.respawn', { id: 'T002', ref: true })).toMatchObject({
        spawnId: 'T002.2',
        warnings: ['there is no skill ct-nowhere: spawned without it'],
      })
      expect(await project.call('orchestrate.respawn', { id: 'T002', message })).toMatchObject({
        code: 'skill.missing',
      })
    }))
})
