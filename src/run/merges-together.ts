import type { Failure, Result } from '../kernel/result.ts'

export interface Received {
  outcome: 'complete' | 'partial' | 'blocked' | 'needs'
  merge?: { into: string; commits: number }
  why?: string
  skill?: string
}

export type RefusedReceive = Pick<Failure, 'code' | 'exit' | 'message' | 'retryable' | 'problems'>
export type MergeTask = (task: string) => Promise<Received | RefusedReceive>

interface Waiting {
  task: string
  settle(result: Received | RefusedReceive): void
  fail(error: unknown): void
}

/**
 * Merges the works of checked tasks, with one call of `merge` at a time. If other tasks become ready for their merge
 * during a call, they wait for the next call. That call gets all waiting tasks and runs the gates once for up to
 * `merge.batch` tasks.
 */
export const mergesTogether = (merge: (tasks: readonly string[]) => Promise<Result<unknown>>): MergeTask => {
  let waiting: Waiting[] = []
  let isMerging = false
  const mergeWaiting = async (): Promise<void> => {
    isMerging = true
    while (waiting.length > 0) {
      const together = waiting
      waiting = []
      try {
        const found = await merge(together.map(({ task }) => task))
        const lines = found.ok ? (found.value as { received: Line[] }).received : []
        for (const { task, settle } of together)
          settle(found.ok ? resultIn(lines.find(({ taskId }) => taskId === task)!) : found)
      } catch (error) {
        for (const { fail } of together) fail(error)
      }
    }
    isMerging = false
  }
  return (task) =>
    new Promise((settle, fail) => {
      waiting.push({ task, settle, fail })
      if (!isMerging) void mergeWaiting()
    })
}

/** A line of the answer of `receive --tasks`. */
type Line = { taskId: string } & (
  | Received
  | { outcome: 'refused'; code: Failure['code']; exit: number; retryable?: boolean; why: string }
)

const resultIn = (line: Line): Received | RefusedReceive =>
  line.outcome === 'refused'
    ? { code: line.code, exit: line.exit, message: line.why, retryable: line.retryable ?? false }
    : line
