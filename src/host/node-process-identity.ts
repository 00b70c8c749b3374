import { hostname } from 'node:os'
import { isRunning, startTimeOf } from './node-own-processes.ts'

/**
 * Identifies a process by machine, process id and start time, because the system can give the same process id to a
 * later process.
 */
export interface ProcessIdentity {
  machine: string
  pid: number
  startTime: string
}

export const ownProcess = (): ProcessIdentity => ({
  machine: hostname(),
  pid: process.pid,
  startTime: startTimeOf(process.pid) ?? '',
})

export const isAlive = (of: ProcessIdentity): boolean | undefined =>
  of.machine === hostname() ? isRunning(of) : undefined
