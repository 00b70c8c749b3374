import type { TestProject } from './project.ts'

/** Opens the consensus C1 on T002. Adds and spawns a task for each voter, starting with T003. */
export const openQuestion = async ({ must }: TestProject, voters = 3): Promise<void> => {
  await must('tasks.add', { title: 'Jobs', type: 'epic' })
  await must('tasks.add', { title: 'Choose a queue', parent: 'T001', description: 'Which?' })
  await must('consensus.open', { id: 'T002', question: 'Which queue?', option: ['table', 'server'] })
  for (let n = 0; n < voters; n++) {
    const id = `T00${n + 3}`
    await must('tasks.add', { title: 'Vote on C1', parent: 'T001', description: 'See C1' })
    await must('orchestrate.spawn', { id })
  }
}

export const vote = (option: string, position: 'accept' | 'reject' | 'abstain', confidence = 0.8) => ({
  ...{ id: 'C1', option, confidence, rationale: 'seen to work', evidence: ['docs/jobs.md'] },
  [position]: true,
})

/** Opens the consensus C1 on T002. The tasks of its voters start with T003. */
export const openVote = async ({ must }: TestProject, voters = 3) => {
  await must('tasks.add', { title: 'Jobs', type: 'epic' })
  await must('tasks.add', { title: 'Choose a queue', parent: 'T001' })
  const option = ['table', 'server']
  return must('consensus.open', { id: 'T002', question: 'Which queue?', option, voters })
}

export const voteOf = (
  id: string,
  option: string,
  position: 'accept' | 'reject' | 'abstain',
  confidence = 0.7,
) => ({ ...vote(option, position, confidence), id })
