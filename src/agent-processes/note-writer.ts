import { cappedLog } from '../host/capped-log.ts'
import type { AgentNote } from './agent.ts'

/**
 * Actions and messages are passed on at most once in this many milliseconds, because an agent can do more per
 * second than a person can read.
 */
const everyMs = 100
const mostBytes = 1024 * 1024
const mostText = 4000

/**
 * Writes notes to a file and passes them to `forward`. If several actions follow each other within `everyMs`, only
 * the last one is written and passed on. The same holds for messages.
 */
export const noteWriter = (
  path: string,
  forward: (note: AgentNote) => void,
): { write(note: AgentNote): void; close(): void } => {
  const file = cappedLog(path, mostBytes)
  const waiting = new Map<AgentNote['kind'], AgentNote>()
  let timer: NodeJS.Timeout | undefined
  const pass = (note: AgentNote): void => {
    const cut = 'text' in note ? { ...note, text: note.text.slice(0, mostText) } : note
    file.write(Buffer.from(`${JSON.stringify(cut)}\n`))
    forward(cut)
  }
  const flush = (): void => {
    timer = undefined
    if (waiting.size === 0) return
    for (const note of waiting.values()) pass(note)
    waiting.clear()
    timer = setTimeout(flush, everyMs)
  }
  return {
    write: (note) => {
      if (note.kind !== 'action' && note.kind !== 'message') {
        // Pass on the waiting notes before this one, so that all notes stay in order.
        for (const each of waiting.values()) pass(each)
        waiting.clear()
        return pass(note)
      }
      waiting.delete(note.kind)
      waiting.set(note.kind, note)
      if (timer === undefined) flush()
    },
    close: () => {
      clearTimeout(timer)
      for (const note of waiting.values()) pass(note)
      file.close()
    },
  }
}
