import type { Host } from '../host/host.ts'
import { isRunning, signalProcess } from '../host/node-own-processes.ts'
import type { AgentEnd, AgentNote, AgentRecord, RunningAgent } from './agent.ts'
import { lostEnd, readEnd } from './end-file.ts'
import { noteOf } from './reader-for.ts'
import { parseLine } from './stream-line.ts'
import { sweep } from './sweep.ts'
import { defaultLimits } from './watch-order.ts'

const everyMs = 250
/** How long to wait for a watcher to end its agent. Long enough for a busy machine. */
const endMs = defaultLimits.graceMs + 30_000

/**
 * Follows an agent that another process started, by reading the files that its watcher writes. To end the agent, sends
 * a signal to the watcher, because only the process that started the watcher had a pipe to it.
 */
export const followAgent = async (
  host: Host,
  record: AgentRecord,
  onNote: (note: AgentNote) => void,
): Promise<RunningAgent> => {
  const { watcher, marker, files } = record
  const { promise: ended, resolve } = Promise.withResolvers<AgentEnd>()
  let read = 0
  const takeNotes = (): void => {
    const lines = textOf(host, files.notes).split('\n').slice(0, -1)
    for (const line of lines.slice(read)) {
      const note = noteIn(line)
      if (note) onNote(note)
    }
    read = Math.max(read, lines.length)
  }
  const look = async (): Promise<void> => {
    // Check first whether the watcher still runs, and read its files afterwards. A watcher writes all its files
    // before it ends. So if the check finds no running watcher, the files are complete.
    const isAlive = isRunning(watcher)
    takeNotes()
    if (isAlive) return void setTimeout(look, everyMs)
    const end = readEnd(host, files)
    const left = await sweep(marker)
    resolve(end ?? lostEnd(host, left))
  }
  void look()
  return {
    ...record,
    go: () => undefined,
    end: async () => {
      signalProcess(watcher, 'SIGTERM')
      const killing = setTimeout(() => void signalProcess(watcher, 'SIGKILL'), endMs)
      return ended.finally(() => clearTimeout(killing))
    },
    ended,
  }
}

/**
 * Returns the text of a file, or an empty text if the file cannot be read. An agent can replace the file, for example
 * by a folder.
 */
const textOf = ({ files }: Host, path: string): string => {
  try {
    return files.read(path) ?? ''
  } catch {
    return ''
  }
}

/** Returns undefined if the line is invalid, because an agent can write any text into this file. */
const noteIn = (line: string): AgentNote | undefined => {
  const fields = parseLine(line)
  return fields && noteOf(fields)
}
