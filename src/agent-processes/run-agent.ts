import { cappedLog } from '../host/capped-log.ts'
import type { Host } from '../host/host.ts'
import { lineSplitter } from '../host/node-lines.ts'
import { type NotStarted, type StartedProgram, startProgram } from '../host/node-started-program.ts'
import type { AgentEnd, AgentLimits, AgentNote, StreamReader } from './agent.ts'
import { endRecord, type Gathered, gather, type ProcessEnd, type Stop } from './ending.ts'
import { printsText, readerFor } from './reader-for.ts'
import { markerVariable, sweep } from './sweep.ts'
import type { WatchOrder } from './watch-order.ts'

/** A line of a stream is read only if it has at most this many bytes. Longer lines are only in the log. */
const maxLineBytes = 1024 * 1024
/**
 * If an agent prints text for people, only this many bytes at the end of each piece of output are read. This is
 * enough for the last lines.
 */
const keptOfText = 4096
/**
 * Milliseconds. `drainMs`: how long to wait for more output after the agent has ended. `killedMs`: how long to wait for
 * the agent to end after SIGKILL.
 */
const drainMs = 2000
const killedMs = 5000

export interface AgentRun {
  stop(why: Stop): void
  ended: Promise<AgentEnd>
}

/**
 * Starts the agent's program and reads its output. When a limit is reached, ends the program and everything that it
 * started.
 */
export const runAgent = (host: Host, order: WatchOrder, onNote: (note: AgentNote) => void): AgentRun => {
  const { launch, limits, marker } = order
  const { promise: ended, resolve } = Promise.withResolvers<AgentEnd>()
  const closed = Promise.withResolvers<void>()
  const startedAt = host.now()
  const watched: Watched = { started: 0, lastOutput: 0 }
  let known: Gathered = { denied: [] }
  let program: StartedProgram | undefined
  let stopped: Stop | undefined
  let leftBehind = 0
  let hasExited = false
  const output = outputOf(order, host.now, (note) => {
    known = gather(known, note)
    if (known.turnOver) watched.overSince ??= performance.now()
    else delete watched.overSince
    onNote(note)
  })
  const finish = (exit: ProcessEnd): void => {
    clearInterval(limitsTimer)
    output.close()
    const more = { bytes: output.bytes(), leftBehind, startedAt, endedAt: host.now() }
    resolve(endRecord({ ...exit, ...(stopped && { stop: stopped }) }, known, more))
  }
  const exited = async (exit: ProcessEnd): Promise<void> => {
    if (hasExited) return
    hasExited = true
    leftBehind = await sweep(marker, program?.pid)
    await Promise.race([closed.promise, after(drainMs)])
    program?.stopReading()
    finish(exit)
  }
  const end = async (running: StartedProgram): Promise<void> => {
    running.signalGroup('SIGTERM')
    await Promise.race([ended, after(limits.graceMs)])
    if (hasExited) return
    running.signalGroup('SIGKILL')
    await Promise.race([ended, after(killedMs)])
    // Stop waiting now, because a process that waits for a disk does not end even on SIGKILL.
    await exited({})
  }
  const stop = (why: Stop): void => {
    if (stopped || hasExited) return
    stopped = why
    if (program) void end(program)
  }
  const limitsTimer = setInterval(() => {
    const why = program && limitReached(watched, limits, performance.now())
    if (why) stop(why)
  }, checkMs(limits))
  const begin = async (): Promise<void> => {
    await output.ready
    const started = await startIn(host, order, {
      output: (chunk, from) => {
        watched.lastOutput = performance.now()
        output.take(chunk, from)
      },
      exited: (code, signal) => void exited({ code, signal }),
      closed: () => closed.resolve(),
    })
    if ('reason' in started) {
      hasExited = true
      return finish({ notStarted: started })
    }
    program = started
    watched.started = performance.now()
    watched.lastOutput = watched.started
    started.write(launch.input)
    started.closeInput()
    if (stopped) void end(started)
  }
  void begin()
  return { stop, ended }
}

/**
 * Times of an agent, from a clock that stops while the machine sleeps. So the sleep does not count towards a limit.
 */
interface Watched {
  started: number
  lastOutput: number
  /** When the agent's turn ended; undefined if the turn is not over, or the agent has continued since. */
  overSince?: number
}

const limitReached = (
  { started, lastOutput, overSince }: Watched,
  { turnOverMs, totalMs, idleMs }: AgentLimits,
  now: number,
): Stop | undefined => {
  if (overSince !== undefined && now - overSince >= turnOverMs) return { why: 'turn over' }
  if (now - started >= totalMs) return { why: 'too long', ms: totalMs }
  return now - lastOutput >= idleMs ? { why: 'idle', ms: idleMs } : undefined
}

const checkMs = ({ turnOverMs, totalMs, idleMs }: AgentLimits): number =>
  Math.max(20, Math.min(1000, turnOverMs / 4, totalMs / 4, idleMs / 4))

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/**
 * Starts the program with the marker. Checks the folder first, because a missing folder would be reported as a missing
 * program.
 */
const startIn = async (
  { files }: Host,
  { launch: { program, args, cwd, env }, marker }: WatchOrder,
  listeners: Pick<Parameters<typeof startProgram>[2], 'output' | 'exited' | 'closed'>,
): Promise<StartedProgram | NotStarted> =>
  files.kind(cwd) === 'folder'
    ? startProgram(program, args, { cwd, env: { ...env, [markerVariable]: marker }, ...listeners })
    : { code: 'ENOTDIR', reason: `there is no folder ${cwd}` }

/** Keeps output in the log and reads it line by line. */
const outputOf = (
  { kind, files, limits }: WatchOrder,
  now: () => number,
  note: (note: AgentNote) => void,
) => {
  const log = cappedLog(files.log, limits.logBytes)
  let read: StreamReader | undefined
  let bytes = 0
  const splitter = (from: 'output' | 'errors') =>
    lineSplitter(maxLineBytes, {
      line: (text) => read!(text, from).forEach(note),
      tooLong: () => undefined,
    })
  const lines = { output: splitter('output'), errors: splitter('errors') }
  const isText = { output: printsText(kind), errors: true }
  return {
    ready: readerFor(kind, now).then((reader) => {
      read = reader
    }),
    take: (chunk: Buffer, from: 'output' | 'errors'): void => {
      bytes += chunk.length
      log.write(chunk)
      lines[from].take(isText[from] ? chunk.subarray(-keptOfText) : chunk)
    },
    bytes: () => bytes,
    close: (): void => {
      lines.output.end()
      lines.errors.end()
      log.close()
    },
  }
}
