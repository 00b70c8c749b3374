import type { LiveTerminal } from '../host/node-live-terminal.ts'
import { cut, widthOf } from './text-width.ts'

/** Lines that are redrawn in place. Redrawing does not change the text above them, the scrollback or a selection. */
export interface LiveScreen {
  draw(lines: readonly string[]): void
  /** Makes the next frame draw everything again, because the terminal was resized. */
  forget(): void
  /** Leaves the last frame where it is and puts the cursor below it. */
  end(): void
}

// Synchronized output: a terminal shows everything between the two codes at once. A terminal without this feature
// ignores the codes.
const beginFrame = '\u001b[?2026h'
const endFrame = '\u001b[?2026l'
const clearRest = '\u001b[K'
const clearBelow = '\u001b[J'

/** To avoid flicker, writes only changed lines and does not clear the screen first. */
export const liveScreen = (terminal: LiveTerminal): LiveScreen => {
  let drawn: string[] = []
  let isForgotten = false
  return {
    draw: (lines) => {
      const { columns, rows } = terminal.size()
      const frame = fitted(lines, columns - 1, rows)
      if (!isForgotten && frame.length === drawn.length && frame.every((line, i) => line === drawn[i])) return
      const above = drawn.length === 0 ? 0 : rowsOf(drawn, isForgotten ? columns : undefined) - 1
      let text = `${beginFrame}\r${above > 0 ? `\u001b[${Math.min(above, rows - 1)}A` : ''}`
      if (isForgotten) text += clearBelow
      frame.forEach((line, i) => {
        const isKept = !isForgotten && line === drawn[i]
        text += `${isKept ? '' : line + clearRest}${i < frame.length - 1 ? '\r\n' : ''}`
      })
      // If the last line did not change, the cursor is at its beginning, and clearing from there would remove the line.
      // So write the line again.
      if (!isForgotten && frame.at(-1) === drawn[frame.length - 1]) text += `\r${frame.at(-1) ?? ''}`
      terminal.write(`${text}${clearBelow}${endFrame}`)
      drawn = frame
      isForgotten = false
    },
    forget: () => {
      isForgotten = true
    },
    end: () => {
      if (drawn.length > 0) terminal.write('\r\n')
      drawn = []
    },
  }
}

/**
 * Leaves the last column free, because a terminal would wrap there. Keeps the last line, because it explains the keys.
 */
const fitted = (lines: readonly string[], width: number, rows: number): string[] => {
  const most = Math.max(2, rows - 1)
  const over = lines.length - most
  const shown =
    over <= 0 ? lines : [...lines.slice(0, most - 2), `… ${over + 1} more lines`, ...lines.slice(-1)]
  return shown.map((line) => (widthOf(line) > width ? cut(line, Math.max(1, width)) : line))
}

/**
 * Returns how many rows of the terminal the lines take. After a resize, pass `columns`, because the terminal has
 * wrapped lines that are wider than this.
 */
const rowsOf = (lines: readonly string[], columns: number | undefined): number =>
  columns === undefined
    ? lines.length
    : lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
