import type { Host } from '../host/host.ts'
import { standardLines } from '../host/node-lines.ts'
import { onSignals, ownPid, startTimeOf } from '../host/node-own-processes.ts'
import { removeTree } from '../host/permissions.ts'
import type { AgentEnd } from './agent.ts'
import { endRecord } from './ending.ts'
import { noteWriter } from './note-writer.ts'
import { type AgentRun, runAgent } from './run-agent.ts'
import { maxOrderBytes, type WatchAnswer, type WatchCommand, type WatchOrder } from './watch-order.ts'

/**
 * Runs the hidden command `cleo agent-watcher`, which watches one agent. Starts the agent only after the run has
 * recorded it and sent `go`. If the process of the run ends, standard input closes, and the watcher ends the agent or
 * lets it finish (`onLoss`). The watcher needs no project and opens no store.
 */
export const watchAgent = (host: Host): Promise<number> =>
  new Promise((resolve_) => {
    const resolve = () => resolve_(0)
    const channel = standardLines(maxOrderBytes)
    const answer = (line: WatchAnswer) => channel.write(JSON.stringify(line))
    let watch: Watch | undefined
    const refuse = (problem: string) => {
      answer({ problem })
      resolve()
    }
    channel.listen({
      line: (text) => {
        if (watch) return watch.command(JSON.parse(text) as WatchCommand)
        const startTime = startTimeOf(ownPid())
        if (startTime === undefined)
          return refuse('processes cannot be told apart here, because there is no /proc')
        watch = watchFor(host, JSON.parse(text) as WatchOrder, answer, resolve)
        answer({ ready: { pid: ownPid(), startTime } })
      },
      tooLong: () => refuse('the order is too long'),
      end: () => (watch ? watch.lost() : resolve()),
    })
    // Ignore Ctrl-C and a closed terminal: they are meant for the run, which tells its watchers what to do. On SIGTERM,
    // end the agent first.
    const ignore = () => undefined
    onSignals({
      SIGINT: ignore,
      SIGHUP: ignore,
      SIGTERM: () => (watch ? watch.command({ end: 'the watcher was asked to end' }) : resolve()),
    })
  })

interface Watch {
  command(command: WatchCommand): void
  /** Called if the process of the run is gone. */
  lost(): void
}

const watchFor = (
  host: Host,
  order: WatchOrder,
  answer: (line: WatchAnswer) => void,
  done: () => void,
): Watch => {
  const { files, onLoss } = order
  let agent: AgentRun | undefined
  let isFinished = false
  const finish = (end: AgentEnd): void => {
    if (isFinished) return
    isFinished = true
    try {
      host.files.replace(files.end, `${JSON.stringify(end)}\n`, 0o600)
    } catch {
      // The end cannot be written to the file, because the disk is full or the folder is gone. The answer below
      // still tells the run how the agent ended.
    }
    answer({ end })
    done()
  }
  const go = (): void => {
    // Remove the files of an earlier process of this spawn. Otherwise readers would mistake them for files of the new
    // process.
    removeTree(files.end)
    removeTree(files.notes)
    const notes = noteWriter(files.notes, (note) => answer({ note }))
    agent = runAgent(host, order, notes.write)
    void agent.ended.then((end) => {
      notes.close()
      finish(end)
    })
  }
  const end = (reason: string): void => {
    const stop = { why: 'asked', reason } as const
    if (agent) agent.stop(stop)
    else finish(endRecord({ stop }, { denied: [] }, { bytes: 0, leftBehind: 0, endedAt: host.now() }))
  }
  return {
    command: (command) => {
      if ('end' in command) end(command.end)
      else if (!agent) go()
    },
    lost: () => {
      if (!agent) done()
      else if (onLoss === 'end') end('the run that started it is gone')
    },
  }
}
