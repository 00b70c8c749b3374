import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export interface Call {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

export interface Trial {
  name: string
  /** What to run in this round. Preparing it is not measured. */
  call(round: number): Call
}

/** Runs a command that must succeed and returns its output. */
export const succeed = ({ program, args, cwd, env }: Call): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`)
  return stdout
}

// The first runs bring files into memory.
const warmUp = 2

/**
 * Runs the trials in turn, round after round, so that other load on the machine affects all of them alike. Returns
 * the lower quartile of each in milliseconds, as a caller sees it: from starting the process to its end.
 */
export const interleave = (trials: readonly Trial[], rounds: number): number[] => {
  const times = trials.map((): number[] => [])
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, { call }] of trials.entries()) {
      const ready = call(round)
      const start = performance.now()
      succeed(ready)
      if (round >= 0) times[i]!.push(performance.now() - start)
    }
  }
  return times.map(lowerQuartile)
}

const lowerQuartile = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)]!

const time = '/usr/bin/time'

/** In megabytes; undefined if /usr/bin/time is not installed. */
export const peakMemory = ({ call }: Trial): number | undefined => {
  if (!existsSync(time)) return undefined
  const { program, args, cwd, env } = call(0)
  const { stderr } = spawnSync(time, ['-f', '%M', program, ...args], { cwd, env, encoding: 'utf8' })
  return Number(stderr.trim()) / 1024
}
