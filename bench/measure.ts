import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

export interface Call {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** A file for standard input. */
  input?: string
  /** Set for a command that draws on a terminal until a key is pressed. The wall time ends with its first frame. */
  firstScreen?: true
}

export interface Trial {
  name: string
  /** The time that this function takes is not measured. */
  call(round: number): Call
}

interface Run {
  /** Milliseconds from starting the process to its end. */
  wall: number
  /** Milliseconds of processor time, in the program and in the kernel. */
  cpu: number
  /** Peak memory in megabytes. */
  memory: number
}

/** What many runs of a command cost. `memory` is the largest peak, in megabytes. */
export interface Cost {
  wall: Quartiles
  cpu: Quartiles
  memory: number
}
type Quartiles = readonly [lower: number, median: number, upper: number]

/** Runs commands under the native clock of `clock.c`. */
export type Clock = ReturnType<typeof clockAt>

// The first runs do not count, because they bring files into memory.
const warmUp = 2

export const clockAt = (program: string) => {
  const run = (call: Call): Run => {
    const { stdout, stderr } = start(
      program,
      [...(call.firstScreen ? ['--first-screen'] : []), call.program, ...call.args],
      call,
    )
    const [wall, cpu, kilobytes, status] = stdout.split(' ').map(Number) as [number, number, number, number]
    if (status !== 0)
      throw new Error(`${call.program} ${call.args.join(' ')} ended with ${status}: ${stderr}`)
    return { wall: wall / 1e6, cpu: cpu / 1e6, memory: kilobytes / 1024 }
  }
  return {
    run,
    /** Runs the trials in turn, round after round, so that other load on the machine affects all of them alike. */
    interleave: (trials: readonly Trial[], rounds: number): Cost[] => {
      const runs = trials.map((): Run[] => [])
      for (let round = -warmUp; round < rounds; round++)
        for (const [i, { call }] of trials.entries()) {
          const measured = run(call(round))
          if (round >= 0) runs[i]!.push(measured)
        }
      return runs.map((all) => ({
        wall: quartiles(all.map(({ wall }) => wall)),
        cpu: quartiles(all.map(({ cpu }) => cpu)),
        memory: Math.max(...all.map(({ memory }) => memory)),
      }))
    },
  }
}

export const succeed = (call: Call): string => start(call.program, call.args, call).stdout

const start = (
  program: string,
  args: readonly string[],
  { cwd, env, input }: Omit<Call, 'program' | 'args' | 'firstScreen'>,
) => {
  const stdin = input === undefined ? ('ignore' as const) : openSync(input, 'r')
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: [stdin, 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
  if (stdin !== 'ignore') closeSync(stdin)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`)
  return { stdout, stderr }
}

const quartiles = (times: readonly number[]): Quartiles => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
  return [at(0.25), at(0.5), at(0.75)]
}

/** Compares the lower quartiles, because other load on the machine affects them least. */
export const ratio = (cost: Cost | undefined, floor: Cost | undefined) => ({
  wall: cost!.wall[0] / floor!.wall[0],
  cpu: cost!.cpu[0] / floor!.cpu[0],
})
