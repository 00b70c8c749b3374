import { type EndSignal, endSignals, type LiveTerminal } from '../host/node-live-terminal.ts'
import { liveScreen } from './live-screen.ts'

/** A view that is redrawn when something changed, such as the view of `cleo watch`. */
export interface LiveView<T> {
  /**
   * Whether something changed since the last call. If this returns a value that is not a boolean, the view ends with
   * that value.
   */
  hasChanged(): Promise<boolean | T>
  /** The lines to show at this width. If this returns a value that is not a list, the view ends with that value. */
  lines(width: number): Promise<readonly string[] | T>
  /** The actions of all keys except q and Ctrl-C. If an action returns a value, the view ends with that value. */
  keys: Readonly<Record<string, () => T | undefined>>
}

const pollMs = 250
/** Redraw at least this often, because texts such as "quiet for 61 min" change with time. */
const redrawMs = 30_000

/** Returns the exit status, or the value with which the view ended. */
export const runLive = async <T extends object>(
  view: LiveView<T>,
  terminal: LiveTerminal,
  now: () => number,
): Promise<number | T> => {
  const screen = liveScreen(terminal)
  let ended: number | T | undefined
  const pause = wakeablePause()
  let isDue = true
  const end = (value: number | T): void => {
    ended ??= value
    pause.wake()
  }
  const redraw = (): void => {
    screen.forget()
    isDue = true
    pause.wake()
  }
  terminal.onSignal((signal: EndSignal) => end(endSignals[signal]))
  terminal.onResize(redraw)
  terminal.takeKeys((key) => {
    if (key === 'q') end(0)
    else if (key === '\u0003') end(endSignals.SIGINT)
    else if (key === '\u001a') terminal.suspend(redraw)
    else {
      const value = view.keys[key]?.()
      if (value !== undefined) end(value)
    }
  })
  let drawnAt = 0
  try {
    while (ended === undefined) {
      const changed = await view.hasChanged()
      if (typeof changed !== 'boolean') end(changed)
      else if (changed || isDue || now() - drawnAt > redrawMs) {
        isDue = false
        drawnAt = now()
        const lines = await view.lines(terminal.size().columns - 1)
        if (isLines(lines)) screen.draw(lines)
        else end(lines)
      }
      if (ended === undefined && !isDue) await pause.wait(pollMs)
    }
    return ended
  } finally {
    screen.end()
    terminal.close()
  }
}

const isLines = (value: readonly string[] | object): value is readonly string[] => Array.isArray(value)

/** Returns a pause that `wake` ends early. While no caller waits, `wake` does nothing. */
export const wakeablePause = (): { wait(ms: number): Promise<void>; wake(): void } => {
  let end: () => void = () => undefined
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: () => end(),
  }
}
