import { readdirSync, readFileSync, statSync } from 'node:fs'
import { errnoOf } from './errno.ts'

/** A process of this user. */
export interface OwnProcess {
  pid: number
  parent: number
  group: number
  /**
   * The start time, in a form that differs between two processes with the same id, even after a restart of the
   * machine.
   */
  startTime: string
}

/**
 * Returns the time at which a process started; undefined if it has ended. A zombie, which has ended but still has an
 * entry in the process table, counts as ended.
 */
export const startTimeOf = (pid: number): string | undefined => readProcess(pid)?.startTime

/** Returns false if the id now belongs to another process. */
export const isRunning = ({ pid, startTime }: { pid: number; startTime: string }): boolean =>
  startTimeOf(pid) === startTime

/** Sends no signal if the id now belongs to another process. Returns whether the signal was sent. */
export const signalProcess = (
  process_: { pid: number; startTime: string },
  signal: NodeJS.Signals,
): boolean => {
  if (!isRunning(process_)) return false
  try {
    process.kill(process_.pid, signal)
    return true
  } catch (error) {
    // The process has ended meanwhile, or now belongs to another user.
    if (!['ESRCH', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
    return false
  }
}

/**
 * Finds the processes of this user that have `variable=value` in their environment. Also finds the processes of the
 * group `group`. Returns them with all their descendants, but without this process. Returns nothing if the system has
 * no `/proc`.
 */
export const processesOf = ({
  variable,
  value,
  group,
}: {
  variable: string
  value: string
  group?: number | undefined
}): OwnProcess[] => {
  const all = ownProcesses()
  const mark = Buffer.from(`\0${variable}=${value}\0`)
  const found = new Set<number>()
  for (const each of all) if (each.group === group || hasMark(each.pid, mark)) found.add(each.pid)
  // Children can come before their parents in the list, so repeat until no more processes are found.
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  found.delete(process.pid)
  return all.filter(({ pid }) => found.has(pid))
}

const ownProcesses = (): OwnProcess[] => {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  const user = process.getuid?.()
  return names.flatMap((name) => {
    const pid = Number(name)
    return pid > 0 && userOf(pid) === user ? (readProcess(pid) ?? []) : []
  })
}

const userOf = (pid: number): number | undefined => {
  try {
    return statSync(`/proc/${pid}`).uid
  } catch {
    return undefined
  }
}

const hasMark = (pid: number, mark: Buffer): boolean => {
  try {
    // Each variable ends with a NUL. Put a NUL before the first one too, because `mark` begins with a NUL.
    return Buffer.concat([Buffer.alloc(1), readFileSync(`/proc/${pid}/environ`)]).includes(mark)
  } catch {
    return false
  }
}

const readProcess = (pid: number): OwnProcess | undefined => {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // In the stat file of a process, the name of the program is in parentheses and can contain anything, even spaces and
  // parentheses. So split only the text after the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const ticks = fields[19]
  if (ticks === undefined || 'ZXx'.includes(state!)) return undefined
  return { pid, parent: Number(parent), group: Number(group), startTime: `${ticks}@${bootId()}` }
}

let boot: string | undefined

/**
 * Returns an id that changes when the machine restarts. Start times are counted from the restart. Without this id,
 * a process from before a restart and a process from after it could have the same start time.
 */
const bootId = (): string => {
  try {
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
  } catch {
    boot = ''
  }
  return boot
}

export const ownPid = (): number => process.pid

/** When one of these signals comes, calls its listener, and this process does not end. */
export const onSignals = (listeners: Partial<Record<NodeJS.Signals, () => void>>): void => {
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
}
