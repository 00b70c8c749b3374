import { writeSync } from 'node:fs'
import { errnoOf } from './errno.ts'
import { isTerminal } from './standard-streams.ts'

/**
 * A terminal on which a process draws until the process ends: its size, its keys and its signals. `close` restores the
 * terminal.
 */
export interface LiveTerminal {
  size(): { columns: number; rows: number }
  /** Writes all of the text. Returns false if the terminal is closed. */
  write(text: string): boolean
  /**
   * Hides the cursor. From now on, reports each pressed key to the listener, without showing the key. Reports no keys
   * if standard input is not a terminal.
   */
  takeKeys(listener: (key: string) => void): void
  onResize(listener: () => void): void
  /** Calls the listener when a signal comes, instead of ending the process. */
  onSignal(listener: (signal: EndSignal) => void): void
  /** Stops the process as Ctrl-Z does. Calls the listener when the process continues. */
  suspend(goesOn: () => void): void
  close(): void
}

export const endSignals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
export type EndSignal = keyof typeof endSignals

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'

export const openLiveTerminal = (): LiveTerminal => {
  const input = isTerminal(0) ? process.stdin : undefined
  let isTaken = false
  const take = (): void => {
    isTaken = true
    input?.setRawMode(true)
    writeAll(hideCursor)
  }
  const giveBack = (): void => {
    if (!isTaken) return
    isTaken = false
    input?.setRawMode(false)
    writeAll(showCursor)
  }
  // Restore the terminal at every exit, even after an uncaught error: a terminal in raw mode does not show what is
  // typed.
  process.on('exit', giveBack)
  return {
    size: () => {
      const [columns, rows] = process.stdout.getWindowSize?.() ?? []
      return { columns: columns || 80, rows: rows || 24 }
    },
    write: writeAll,
    takeKeys: (listener) => {
      take()
      input?.setEncoding('utf8')
      input?.on('data', (text: string) => {
        for (const key of text) listener(key)
      })
      input?.resume()
    },
    onResize: (listener) => void process.on('SIGWINCH', listener),
    onSignal: (listener) => {
      for (const signal of Object.keys(endSignals) as EndSignal[]) process.on(signal, () => listener(signal))
    },
    suspend: (goesOn) => {
      giveBack()
      process.once('SIGCONT', () => {
        take()
        goesOn()
      })
      process.kill(process.pid, 'SIGTSTP')
    },
    close: () => {
      giveBack()
      input?.pause()
    },
  }
}

const writeAll = (text: string): boolean => {
  const bytes = Buffer.from(text)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent)
    } catch (error) {
      const code = errnoOf(error)
      // Any other code means that there is no reader: EIO if the terminal was closed, EPIPE if the reader closed the
      // pipe.
      if (code !== 'EAGAIN') return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
  return true
}

/** Calls back for each Ctrl-C and each SIGTERM, instead of ending this process. */
export const onInterrupt = (heard: () => void): void => {
  process.on('SIGINT', heard)
  process.on('SIGTERM', heard)
}
