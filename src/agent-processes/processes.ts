import type { Host } from '../host/host.ts'
import { lineSplitter } from '../host/node-lines.ts'
import { signalProcess } from '../host/node-own-processes.ts'
import { type StartedProgram, startProgram } from '../host/node-started-program.ts'
import { childEnvironment, which } from '../host/programs.ts'
import type { AgentEnd, AgentFiles, AgentProcesses, AgentRecord, RunningAgent, StartAgent } from './agent.ts'
import { endIn, lostEnd, readEnd } from './end-file.ts'
import { followAgent } from './follow-agent.ts'
import { parseLine } from './stream-line.ts'
import { sweep } from './sweep.ts'
import { defaultLimits, type WatchAnswer, type WatchCommand, type WatchOrder } from './watch-order.ts'

/** How many milliseconds to wait for a watcher to start. Enough for a busy machine. */
const startMs = 60_000
/**
 * How many milliseconds to wait for a watcher to end its agent. Enough for a busy machine. The time between SIGTERM and
 * SIGKILL is added.
 */
const endMs = 30_000
const maxAnswerBytes = 1024 * 1024

/**
 * Starts agents, each with its own watcher. A watcher is this program again, run as the hidden command `agent-watcher`.
 */
export const agentProcesses = (host: Host): AgentProcesses => ({
  start: (options) => startAgent(host, options),
  adopt: (record, onNote) => followAgent(host, record, onNote),
  endLeftover: async ({ watcher, marker }) => {
    if (watcher) signalProcess(watcher, 'SIGKILL')
    return sweep(marker)
  },
})

export const agentFiles = (projectRoot: string, run: string, spawn: string): AgentFiles => {
  const path = `${projectRoot}/.cleo/runs/${run}/${spawn}`
  return { log: `${path}.log`, notes: `${path}.notes.jsonl`, end: `${path}.end.json` }
}

const startAgent = async (
  host: Host,
  { kind, launch, files, limits: given, onLoss, onNote }: StartAgent,
): Promise<RunningAgent | { problem: string }> => {
  const limits = { ...defaultLimits, ...given }
  const marker = host.randomId(24)
  const order: WatchOrder = { kind, launch, files, limits, onLoss, marker }
  const ready = Promise.withResolvers<AgentRecord['watcher'] | { problem: string }>()
  const ended = Promise.withResolvers<AgentEnd>()
  let isOver = false
  const watcher = await startWatcher(host, {
    heard: (answer) => {
      if ('ready' in answer) ready.resolve(answer.ready)
      else if ('problem' in answer) ready.resolve(answer)
      else if ('note' in answer) onNote(answer.note)
      else {
        const end = endIn(answer.end)
        isOver = end !== undefined
        if (end) ended.resolve(end)
      }
    },
    // A watcher reports the end of its agent before it exits. A watcher that exits without this report was killed.
    gone: async () => {
      ready.resolve({ problem: 'the watcher ended before it was ready' })
      if (isOver) return
      // An agent can write the end file itself and kill its watcher. So even if this file exists, some processes of the
      // agent may still run.
      const left = await sweep(marker)
      ended.resolve(readEnd(host, files) ?? lostEnd(host, left))
    },
  })
  if ('problem' in watcher) return watcher
  watcher.write(`${JSON.stringify(order)}\n`)
  const answer = await within(startMs, ready.promise)
  if (answer === undefined || 'problem' in answer) {
    watcher.signalGroup('SIGKILL')
    return answer ?? { problem: 'the watcher did not answer' }
  }
  const tell = (command: WatchCommand) => watcher.write(`${JSON.stringify(command)}\n`)
  return {
    watcher: answer,
    marker,
    files,
    go: () => tell({ go: true }),
    end: async (why) => {
      tell({ end: why })
      const end = await within(limits.graceMs + endMs, ended.promise)
      // A watcher that does not answer was paused by a signal, or the machine is too busy. Kill the watcher, so that
      // `gone` ends the agent.
      if (end === undefined) signalProcess(answer, 'SIGKILL')
      return ended.promise
    },
    ended: ended.promise,
  }
}

const startWatcher = async (
  host: Host,
  { heard, gone }: { heard(answer: WatchAnswer): void; gone(): void },
): Promise<StartedProgram | { problem: string }> => {
  const cleo = host.program ?? [which(host, 'cleo', host.cwd) ?? 'cleo']
  const lines = lineSplitter(maxAnswerBytes, {
    line: (text) => {
      // The line can be invalid. Only the watcher should write it, but an agent can open the pipe of its watcher.
      const answer = parseLine(text)
      if (answer) heard(answer as unknown as WatchAnswer)
    },
    tooLong: () => undefined,
  })
  const [program, ...first] = cleo
  const started = await startProgram(program!, [...first, 'agent-watcher'], {
    cwd: host.cwd,
    env: childEnvironment(host.env),
    withoutErrors: true,
    output: lines.take,
    exited: () => undefined,
    closed: gone,
  })
  return 'reason' in started ? { problem: `${program} was not started: ${started.reason}` } : started
}

const within = <T>(ms: number, promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
