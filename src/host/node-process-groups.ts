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
  listen()
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

let isListening = false

const listen = (): void => {
  if (isListening) return
  isListening = true
  for (const signal of signals) process.on(signal, endChildren)
}

/**
 * If no group runs, removes the listeners, so that signals end this process as usual. Keeps them in a process that
 * handles Ctrl-C itself, such as a run. A run starts many groups, and adding and removing the listeners for each group
 * takes longer than starting git.
 */
const stopListening = (): void => {
  if (!isListening || runningGroups.size > 0 || isHandled('SIGINT')) return
  isListening = false
  for (const signal of signals) process.removeListener(signal, endChildren)
}

/** Whether other code of this process handles a signal. */
const isHandled = (signal: NodeJS.Signals): boolean => process.listenerCount(signal) > 1

const endChildren = (signal: NodeJS.Signals): void => {
  // A run decides itself what Ctrl-C ends. For example, the first Ctrl-C must not end the checks of received work.
  if (isHandled(signal)) return
  for (const pid of runningGroups) signalGroup(pid, 'SIGKILL')
  runningGroups.clear()
  process.removeListener(signal, endChildren)
  process.kill(process.pid, signal)
}

/** Does nothing if the group has ended, or if this user may not signal it. */
export const signalGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
  }
}
