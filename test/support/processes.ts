import { readFileSync } from 'node:fs'

/** Whether a process has ended. One that its parent has not waited for yet, a zombie, has ended too. */
export const isOver = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

/** Waits until a condition holds; the limit of the test ends a wait that is in vain. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}
