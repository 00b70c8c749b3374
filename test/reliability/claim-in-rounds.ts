import { createInterface } from 'node:readline'
import { openProject } from '../../src/index.ts'

export interface ClaimInRoundsOptions {
  project: string
  name: string
}

export interface Claimed {
  /** 0 for the winner, else the exit status of the refusal. */
  exit: number
}

/** Claims each task that is named on standard input, as soon as it is named. */
export const claimInRounds = async (
  { project, name }: ClaimInRoundsOptions,
  tell: (claimed: Claimed) => void,
): Promise<void> => {
  const opened = openProject({ project, as: name })
  for await (const id of createInterface({ input: process.stdin })) {
    const answer = await opened.call('focus.set', { id })
    tell({ exit: answer.ok ? 0 : answer.exit })
  }
  await opened.close()
}
