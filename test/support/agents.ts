import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEnd, AgentNote, RunningAgent, StartAgent } from '../../src/agent-processes/agent.ts'
import { agentFiles, agentProcesses } from '../../src/agent-processes/processes.ts'
import { markerVariable } from '../../src/agent-processes/sweep.ts'
import type { Host } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { processesOf } from '../../src/host/node-own-processes.ts'
import { executable } from './cleo.ts'
import { withTemp } from './temp.ts'

/**
 * Limits that agents reach only in tests of the limits themselves. An agent has one second after SIGTERM to end.
 */
export const testLimits = { idleMs: 120_000, totalMs: 120_000, graceMs: 1000 }

export interface AgentStage {
  host: Host
  folder: string
  /** Starts a shell script as an agent that still waits for `go`. */
  start(script: string, options?: Partial<StartAgent> & { prompt?: string; spawn?: string }): Promise<Started>
  /** Runs a shell script as an agent until it ends. */
  run(script: string, options?: Partial<StartAgent> & { prompt?: string }): Promise<AgentEnd>
  log(spawn?: string): string
}

export interface Started extends RunningAgent {
  notes: AgentNote[]
}

export const hostFor = (folder: string): Host => ({
  ...nodeHost([...executable.command]),
  cwd: folder,
  env: { PATH: process.env['PATH'], HOME: folder },
})

/**
 * Calls `work` with a folder and functions to start agents in it. Fails if a process of an agent is left afterwards.
 */
export const withAgents = (work: (stage: AgentStage) => Promise<void>): Promise<void> =>
  withTemp(async (folder) => {
    const host = hostFor(folder)
    const agents = agentProcesses(host)
    const started: Started[] = []
    const start: AgentStage['start'] = async (
      script,
      { prompt = 'Do it.', spawn = 'T002.1', ...options } = {},
    ) => {
      const program = join(folder, `agent-${started.length}.sh`)
      writeFileSync(program, `#!/bin/bash\n${script}\n`)
      chmodSync(program, 0o755)
      const notes: AgentNote[] = []
      const running = await agents.start({
        kind: 'command',
        launch: { program, args: [], env: { PATH: process.env['PATH']! }, cwd: folder, input: prompt },
        files: agentFiles(folder, 'R001', spawn),
        onLoss: 'end',
        onNote: (note) => notes.push(note),
        ...options,
        limits: { ...testLimits, ...options.limits },
      })
      if ('problem' in running) throw new Error(running.problem)
      const each = { ...running, notes }
      started.push(each)
      return each
    }
    try {
      await work({
        host,
        folder,
        start,
        run: async (script, options) => {
          const agent = await start(script, options)
          agent.go()
          return agent.ended
        },
        log: (spawn = 'T002.1') => readFileSync(agentFiles(folder, 'R001', spawn).log, 'utf8'),
      })
    } finally {
      for (const agent of started) await agent.end('the test is over')
    }
    for (const { marker } of started)
      if (living(marker).length > 0) throw new Error(`${marker} left processes`)
  })

/** Returns the ids of an agent's processes that are still running. */
export const living = (marker: string): number[] =>
  processesOf({ variable: markerVariable, value: marker }).map(({ pid }) => pid)

/** Waits until a condition holds, at most two minutes. */
export const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 120_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const fileExists = (path: string): Promise<void> => until(`${path} exists`, () => existsSync(path))
