import { readFileSync } from 'node:fs'

/** Whether a process has ended. A zombie, for which its parent has not waited yet, counts as ended. */
export const isOver = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

/** Waits until a condition holds. The time limit of the test ends a wait that is too long. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}
