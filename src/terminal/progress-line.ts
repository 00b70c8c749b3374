import type { Progress } from '../kernel/progress.ts'
import { printable } from '../print/printable.ts'
import type { Terminal } from './terminal.ts'

export interface ProgressLine {
  show(progress: Progress): void
  /** Removes the line from the terminal. Nothing is shown after that. */
  end(): void
}

/** Work that takes less time than this is not shown. */
const shortMs = 1000
const redrawMs = 250
/**
 * In a pipe, every line stays visible, so only few lines are written. The first line comes after this time. Then the
 * pauses double.
 */
const firstPauseMs = 10_000
const longestPauseMs = 60_000

/**
 * Shows the progress of long work on standard error: at a terminal one line that is rewritten, in a pipe a few lines.
 */
export const progressLine = (terminal: Terminal, now: () => number): ProgressLine => {
  const isTerminal = terminal.isErrorTerminal
  let latest: { progress: Progress; at: number } | undefined
  let shown = ''
  let drawnAt = 0
  let pauseMs = isTerminal ? redrawMs : firstPauseMs
  const drawIfDue = () => {
    if (!latest) return
    const elapsedMs = latest.progress.elapsedMs + now() - latest.at
    if (elapsedMs < (isTerminal ? shortMs : pauseMs) || now() - drawnAt < pauseMs) return
    drawnAt = now()
    const text = textOf({ ...latest.progress, elapsedMs })
    if (!isTerminal) {
      terminal.err(`${text}\n`)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      return
    }
    const cut = text.slice(0, (terminal.width ?? 80) - 1)
    terminal.err(`\r${cut.padEnd(shown.length)}`)
    shown = cut
  }
  const timer = setInterval(drawIfDue, redrawMs)
  timer.unref()
  return {
    show(progress) {
      latest = { progress, at: now() }
      drawIfDue()
    },
    end() {
      clearInterval(timer)
      latest = undefined
      if (shown !== '') terminal.err(`\r${' '.repeat(shown.length)}\r`)
      shown = ''
    },
  }
}

const textOf = ({ what, elapsedMs, line, count, total }: Progress): string => {
  const parts = [
    what,
    `${Math.floor(elapsedMs / 1000)} s`,
    ...(count === undefined ? [] : [total === undefined ? `${count}` : `${count} of ${total}`]),
    ...(line ? [line] : []),
  ]
  return printable(parts.join(' · ')).slice(0, 500)
}
