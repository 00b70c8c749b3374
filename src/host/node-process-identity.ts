import { hostname } from 'node:os'
import { isRunning, startTimeOf } from './node-own-processes.ts'

/** A process, told apart from a later one with the same number by its start time, and from those of other machines. */
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

/** Whether a process still runs; undefined for a process of another machine. */
export const isAlive = (of: ProcessIdentity): boolean | undefined =>
  of.machine === hostname() ? isRunning(of) : undefined
