import { describe, expect, test } from 'vitest'
import { data, executable, start } from '../support/cleo.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

const hostile = '\u001b[2J"; DROP TABLE votes; --\u202e{{TASK_ID}}`rm`\n@a.md'

/** An epic with a question, and as many voters as spawned tasks. */
const question = async ({ must }: TestProject, voters = 3): Promise<void> => {
  await must('tasks.add', { title: 'Jobs', type: 'epic' })
  await must('tasks.add', { title: 'Choose a queue', parent: 'T001', description: 'Which?' })
  await must('consensus.open', { id: 'T002', question: 'Which queue?', option: ['table', 'server'] })
  for (let n = 0; n < voters; n++) {
    const id = `T00${n + 3}`
    await must('tasks.add', { title: 'Vote on C1', parent: 'T001', description: 'See C1' })
    await must('orchestrate.spawn', { id })
  }
}

const vote = (option: string, position: 'accept' | 'reject' | 'abstain', confidence = 0.8) => ({
  ...{ id: 'C1', option, confidence, rationale: 'seen to work', evidence: ['docs/jobs.md'] },
  [position]: true,
})

onEveryStore((withProject) => {
  test('[PROT-3] votes are weighed and one option is proven', () =>
    withProject(async (project) => {
      await question(project)
      await project.as('T003.1').must('consensus.vote', vote('table', 'accept', 0.9))
      expect((await project.must('consensus.tally', { id: 'C1' })).verdict).toBe('insufficient')
      await project.as('T004.1').must('consensus.vote', vote('table', 'accept', 0.6))
      await project.as('T005.1').must('consensus.vote', vote('table', 'reject', 0.5))
      await project.as('T005.1').must('consensus.vote', vote('server', 'abstain', 1))
      expect(await project.must('consensus.tally', { id: 'c1' })).toEqual({
        id: 'C1',
        task: 'T002',
        question: 'Which queue?',
        threshold: 0.5,
        round: 1,
        voters: 3,
        verdict: 'proven',
        option: 'table',
        options: [
          { option: 'table', weight: 0.75, accept: 2, reject: 1, abstain: 0 },
          { option: 'server', weight: 0, accept: 0, reject: 0, abstain: 1 },
        ],
      })
    }))

  test('[PROT-3] an agent has one vote on an option: the latest counts, the same again changes nothing', () =>
    withProject(async (project) => {
      await question(project)
      const voter = project.as('T003.1')
      await voter.must('consensus.vote', vote('table', 'accept'))
      expect(await voter.must('consensus.vote', vote('table', 'accept'))).toMatchObject({ noChange: true })
      expect(await voter.must('consensus.vote', vote('table', 'reject'))).toMatchObject({ replaced: true })
      const { options, votes } = await project.must('consensus.tally', { id: 'C1', votes: true })
      expect(options[0]).toMatchObject({ accept: 0, reject: 1 })
      expect(votes).toMatchObject([{ agent: 'T003.1', position: 'reject', evidence: ['docs/jobs.md'] }])
      expect((await project.must('admin.log', { operation: 'consensus.vote' })).entries).toHaveLength(2)
    }))

  test('[PROT-3] a first round without a verdict leads to a second, and that to a person', () =>
    withProject(async (project) => {
      await question(project)
      const split = async () => {
        await project.as('T003.1').must('consensus.vote', vote('table', 'accept', 0.7))
        await project.as('T004.1').must('consensus.vote', vote('table', 'reject', 0.7))
      }
      expect(await project.call('consensus.open', { id: 'C1', again: true })).toMatchObject({
        code: 'consensus.over',
        exit: 6,
      })
      await split()
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: null,
        then: 'cleo consensus open C1 --again',
      })
      expect(await project.must('consensus.open', { id: 'C1', again: true })).toMatchObject({ round: 2 })
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({ verdict: 'insufficient' })
      await split()
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: 'contested',
        then: 'cleo inbox',
      })
      expect(await project.call('consensus.open', { id: 'C1', again: true })).toMatchObject({
        code: 'consensus.over',
      })
    }))

  test('[PROT-3] opening the same question again gives it back', () =>
    withProject(async (project) => {
      await question(project, 0)
      const asked = { id: 'T002', question: 'Which queue?', option: ['table', 'server'] }
      expect(await project.must('consensus.open', asked)).toMatchObject({ id: 'C1', noChange: true })
      expect(await project.must('consensus.open', { ...asked, threshold: 0.7 })).toMatchObject({ id: 'C2' })
    }))

  test('[PROT-3] everything wrong with a vote is said at once', () =>
    withProject(async (project) => {
      await question(project, 1)
      const wrong = { option: 'tabel', confidence: 1.5, rationale: ' ', conflict: ['no daemon'] }
      const refused = await project.as('T003.1').call('consensus.vote', { id: 'C1', ...wrong })
      expect(refused).toMatchObject({ code: 'input.invalid', exit: 6 })
      const paths = refused.ok ? [] : refused.problems!.map(({ path }) => path)
      expect(paths.sort()).toEqual([
        'confidence',
        'conflict.0',
        'evidence',
        'option',
        'position',
        'rationale',
      ])
      for (const confidence of [Number.NaN, -0.01, Number.POSITIVE_INFINITY])
        expect(
          await project.call('consensus.vote', { ...vote('table', 'accept'), confidence }),
        ).toMatchObject({ exit: 6 })
      expect(
        await project.call('consensus.vote', { ...vote('table', 'accept'), reject: true }),
      ).toMatchObject({ exit: 6 })
      expect(await project.call('consensus.vote', { ...vote('table', 'accept'), id: 'C9' })).toMatchObject({
        code: 'consensus.not_found',
        exit: 4,
      })
    }))

  test('[PROT-3] everything wrong with a question is said at once', () =>
    withProject(async (project) => {
      await question(project, 0)
      const nothing = await project.call('consensus.open', { id: 'T002' })
      expect(nothing.ok || nothing.problems).toMatchObject([{ path: 'question' }, { path: 'option' }])
      const mixed = await project.call('consensus.open', { id: 'T002', again: true, question: 'Other?' })
      expect(mixed.ok || mixed.problems).toMatchObject([{ path: 'id' }, { path: 'question' }])
      for (const threshold of [-0.1, 1, Number.NaN])
        expect(
          await project.call('consensus.open', { id: 'T002', question: 'x', option: ['a'], threshold }),
        ).toMatchObject({ exit: 6 })
      expect(
        await project.call('consensus.open', { id: 'T099', question: 'x', option: ['a'] }),
      ).toMatchObject({
        exit: 4,
      })
    }))

  test('[PROT-3] a superseded spawn cannot vote, and the task it worked on counts once', () =>
    withProject(async (project) => {
      await question(project, 1)
      await project.as('T003.1').must('consensus.vote', vote('table', 'accept'))
      await project.must('orchestrate.spawn', { id: 'T003', tier: 2 })
      expect(await project.as('T003.1').call('consensus.vote', vote('server', 'accept'))).toMatchObject({
        code: 'spawn.superseded',
        exit: 35,
      })
      await project.as('T003.2').must('consensus.vote', vote('table', 'accept'))
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: 'insufficient',
        voters: 1,
      })
    }))

  test('[PROT-3] text of any kind is kept as it was given', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Queue' })
      const option = [hostile, 'x\0y']
      await project.must('consensus.open', { id: 'T001', question: hostile, option })
      await project.must('consensus.vote', {
        ...{ id: 'C1', option: hostile, accept: true, confidence: 1, rationale: hostile },
        ...{ evidence: [hostile, 'a,b'], conflict: [`${hostile}:high`] },
      })
      expect(await project.must('consensus.tally', { id: 'C1', votes: true })).toMatchObject({
        question: hostile,
        options: [{ option: hostile, accept: 1 }, { option: 'x\0y' }],
        conflicts: [{ with: hostile, severity: 'high' }],
        votes: [{ rationale: hostile, evidence: [hostile, 'a,b'] }],
      })
    }))
})

describe('[PROT-3] many shells voting at once', () => {
  test('every vote is counted', () =>
    withProject(async (project) => {
      await question(project, 0)
      const agents = Array.from({ length: 8 }, (_, n) => `voter${n}`)
      const cast = (agent: string, option: string, n: number) =>
        start(
          executable,
          [
            ...['consensus', 'vote', 'C1', '--option', option, n % 2 === 0 ? '--accept' : '--reject'],
            ...['--confidence', '0.5', '--rationale', 'r', '--evidence', 'e', '--as', agent],
          ],
          { cwd: project.root },
        )
      const ran = await Promise.all(
        agents.flatMap((agent, n) => ['table', 'server'].map((option) => cast(agent, option, n))),
      )
      for (const each of ran) expect(data(each)).toMatchObject({ id: 'C1', round: 1 })
      expect(await project.must('consensus.tally', { id: 'C1' })).toMatchObject({
        voters: 8,
        options: [
          { accept: 4, reject: 4 },
          { accept: 4, reject: 4 },
        ],
      })
    }))
})
