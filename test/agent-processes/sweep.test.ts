import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { markerVariable, sweep } from '../../src/agent-processes/sweep.ts'
import { isRunning, signalProcess, startTimeOf } from '../../src/host/node-own-processes.ts'
import { living, until } from '../support/agents.ts'

/**
 * Starts three programs, each in its own session: two with the marker `marker`, and one with the marker `other`.
 */
const withMarked = async (work: (marker: string, other: string) => Promise<void>): Promise<void> => {
  const [marker, other] = [randomUUID(), randomUUID()]
  const started = [marker, marker, other].map((value) =>
    spawn('/bin/sh', ['-c', 'sleep 600 & wait'], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], [markerVariable]: value },
    }),
  )
  try {
    await until('all run', () => living(marker).length === 4 && living(other).length === 2)
    await work(marker, other)
  } finally {
    for (const { pid } of started) endGroup(pid!)
  }
}

/** Kills a process group, even if its first process has ended. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // `kill` throws if no process of the group is left.
  }
}

test('[RUN-2] every process with the marker is ended, whatever its session, and no other', () =>
  withMarked(async (marker, other) => {
    expect(await sweep(marker)).toBe(4)
    expect(living(marker)).toEqual([])
    expect(living(other)).toHaveLength(2)
    expect(await sweep(marker)).toBe(0)
  }))

test('[RUN-2] a process that got the number of an ended one is not taken for it', () =>
  withMarked(async (marker) => {
    const [pid] = living(marker)
    const startTime = startTimeOf(pid!)!
    expect(isRunning({ pid: pid!, startTime })).toBe(true)
    const earlier = { pid: pid!, startTime: `1@${startTime.split('@')[1]}` }
    expect(isRunning(earlier)).toBe(false)
    expect(signalProcess(earlier, 'SIGKILL')).toBe(false)
    expect(isRunning({ pid: pid!, startTime })).toBe(true)
  }))
