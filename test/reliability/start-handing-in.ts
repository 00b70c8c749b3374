import type { HandedIn, HandInOptions } from './manifest-worker.ts'
import { startProcess } from './start-worker.ts'

export interface HandingIn {
  kill(): void
  /** Asks the process to end. */
  finish(): void
  /** What the process reported before it ended. */
  ended: Promise<{ kept: string[]; refused: string[]; killed: boolean }>
}

/** Starts a process that submits entries. */
export const startHandingIn = (
  options: HandInOptions,
  hear: (said: HandedIn) => void = () => undefined,
): HandingIn => {
  const kept: string[] = []
  const refused: string[] = []
  const worker = startProcess<HandedIn>(
    'manifest-worker.ts',
    [JSON.stringify(options)],
    options.project,
    (said) => {
      if ('kept' in said) kept.push(said.kept)
      if ('refused' in said) refused.push(said.refused)
      hear(said)
    },
  )
  return { ...worker, ended: worker.ended.then(({ killed }) => ({ kept, refused, killed })) }
}
