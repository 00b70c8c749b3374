import { errnoOf } from './errno.ts'

/**
 * How many milliseconds to wait after SIGTERM before sending SIGKILL, and how long to wait for more output after a
 * program has exited.
 */
export const graceMs = 500

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const runningGroups = new Set<number>()

/**
 * Calls `start`, which starts a program in its own process group. Signals to this process do not reach that group.
 * So if a signal ends this process, the group is ended first. The caller calls `release` when the program has
 * ended.
 */
export const startingGroup = <Child extends { pid?: number | undefined }>(
  start: () => Child,
): { child: Child; release: () => void } => {
  // Listen for signals before the start. Otherwise a signal right after the start would end this process and leave the
  // group running.
  if (runningGroups.size === 0) for (const signal of signals) process.on(signal, endChildren)
  try {
    const child = start()
    if (child.pid !== undefined) runningGroups.add(child.pid)
    const release = () => {
      if (child.pid !== undefined) runningGroups.delete(child.pid)
      stopListening()
    }
    return { child, release }
  } finally {
    stopListening()
  }
}

const stopListening = (): void => {
  if (runningGroups.size === 0) for (const signal of signals) process.removeListener(signal, endChildren)
}

const endChildren = (signal: NodeJS.Signals): void => {
  for (const pid of runningGroups) endGroup(pid, 'SIGKILL')
  runningGroups.clear()
  stopListening()
  process.kill(process.pid, signal)
}

export const endGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}
