import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../../support/project.ts'
import { addTask, handIn, lineOf, rulings, type Sent, send } from '../../support/subagent.ts'

const decide = { title: 'Vote on the session store', labels: ['consensus'] }

const opened = async (project: TestProject): Promise<Sent> => {
  const sent = await send(project, await addTask(project, decide))
  await project.must('consensus.open', {
    id: 'T001',
    question: 'Where do sessions live?',
    option: ['a table', 'a server'],
  })
  await handIn(sent)
  return sent
}

const vote = {
  id: 'C1',
  option: 'a table',
  confidence: 0.8,
  rationale: 'no new part',
  evidence: ['docs/ops.md'],
}

onEveryStore((withProject) => {
  test('[PROT-1] votes with rationale, confidence and evidence keep the consensus protocol', () =>
    withProject(async (project) => {
      const sent = await opened(project)
      await sent.as.must('consensus.vote', { ...vote, accept: true, conflict: ['no daemon:high'] })
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Consensus') })
      expect(await rulings(project, 'T002')).toMatchObject({
        'CONS-001': ['pass', '1 vote of T002.1 in C1'],
        'CONS-002': ['pass', '1 vote, each with a rationale'],
        'CONS-003': ['pass', '1 vote, each with a confidence from 0 to 1'],
        'CONS-004': ['pass', '1 vote, each with evidence'],
        'CONS-005': ['pass', '1 vote, every conflict with its severity'],
        'CONS-006': ['na', 'no decision was left to a person'],
        'CONS-007': ['pass', 'T002-vote-on-the-session-store has agent_type analysis'],
      })
      expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({ valid: true })
    }))

  test('[PROT-1] an agent that only claims to have voted has no vote', () =>
    withProject(async (project) => {
      const sent = await opened(project)
      // A vote of another agent does not count as the voter's own.
      await project.must('consensus.vote', { ...vote, accept: true })
      expect(await rulings(project, sent.task)).toMatchObject({
        'CONS-001': ['fail', 'T002.1 recorded no vote'],
        'CONS-002': ['na', 'T002.1 has no votes'],
      })
    }))

  test('[PROT-1] an incomplete vote breaks the rule about what is missing', () =>
    withProject(async (project) => {
      const sent = await opened(project)
      await sent.as.must('consensus.vote', { ...vote, accept: true })
      const db = await project.store()
      await db.run(
        `UPDATE votes SET rationale = ' ', confidence = 3, evidence = '[]', conflicts = '[{"with":"x"}]'`,
      )
      await db.run(`UPDATE entries SET body = REPLACE(body, '"analysis"', '"research"')`)
      await db.run("UPDATE consensus SET decision = 'a table', decided_by = 'T002.1', decided_at = 1")
      expect(await rulings(project, 'T002')).toMatchObject({
        'CONS-002': ['fail', 'the vote on "a table" has no rationale'],
        'CONS-003': ['fail', 'the vote on "a table" has the confidence 3'],
        'CONS-004': ['fail', 'the vote on "a table" cites no evidence'],
        'CONS-005': ['fail', 'the vote on "a table" has a conflict without a name or without a severity'],
        'CONS-006': ['fail', 'C1 was decided by T002.1, not by a person'],
        'CONS-007': ['fail', 'T002-vote-on-the-session-store has agent_type "research", not analysis'],
      })
    }))

  test('[PROT-1] a contested decision is left to a person', () =>
    withProject(async (project) => {
      const sent = await opened(project)
      const round = async () => {
        for (const option of ['a table', 'a server']) {
          await sent.as.must('consensus.vote', { ...vote, option, accept: true })
          await project.must('consensus.vote', { ...vote, option, reject: true })
        }
      }
      await round()
      await project.must('consensus.open', { id: 'C1', again: true })
      await round()
      expect((await rulings(project, 'T002'))['CONS-006']).toEqual(['pass', 'C1 is waiting for a person'])
    }))
})
