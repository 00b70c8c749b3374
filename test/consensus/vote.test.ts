import { describe, expect, test } from 'vitest'
import { data, executable, start } from '../support/cleo.ts'
import { openQuestion, vote } from '../support/consensus-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-3] an agent has one vote on an option: a later one replaces it, a repeat changes nothing', () =>
    withProject(async (project) => {
      await openQuestion(project)
      const voter = project.as('T003.1')
      await voter.must('consensus.vote', vote('table', 'accept'))
      expect(await voter.must('consensus.vote', vote('table', 'accept'))).toMatchObject({ noChange: true })
      expect(await voter.must('consensus.vote', vote('table', 'reject'))).toMatchObject({ replaced: true })
      const { options, votes } = await project.must('consensus.tally', { id: 'C1', votes: true })
      expect(options[0]).toMatchObject({ accept: 0, reject: 1 })
      expect(votes).toMatchObject([{ agent: 'T003.1', position: 'reject', evidence: ['docs/jobs.md'] }])
      expect((await project.must('admin.log', { operation: 'consensus.vote' })).entries).toHaveLength(2)
    }))

  test('[PROT-3] all problems of a vote are reported at once', () =>
    withProject(async (project) => {
      await openQuestion(project, 1)
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

  test('[PROT-3] a superseded spawn cannot vote, and the task it worked on counts once', () =>
    withProject(async (project) => {
      await openQuestion(project, 1)
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
})

describe('[PROT-3] many shells voting at once', () => {
  test('every vote is counted', () =>
    withProject(async (project) => {
      await openQuestion(project, 0)
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
