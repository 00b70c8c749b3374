import type { Host } from '../../host/host.ts'
import { onInterrupt, openLiveTerminal } from '../../host/node-live-terminal.ts'
import type { Result } from '../../kernel/result.ts'
import type { Live, LivePicture } from '../../operation/context.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Connection } from '../../perform/connection.ts'
import { type Caller, perform } from '../../perform/perform.ts'
import { liveScreen } from '../../terminal/live-screen.ts'
import { styleFor, type Terminal } from '../../terminal/terminal.ts'
import type { CommonOptions } from './args.ts'
import { jsonText } from './json-text.ts'

interface LiveOptions {
  host: Host
  terminal: Terminal
  isHuman: boolean
  common: CommonOptions
}

/** Runs a long operation, shows its events meanwhile, and passes Ctrl-C on to it. */
export const performLong = (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
  options: LiveOptions,
): Promise<Result<unknown>> => {
  const { live, end } = liveFor(operation, options)
  return perform(operation, input, connection, { ...caller, live }).finally(end)
}

interface ShownLive {
  live: Live
  /** Leaves the last picture on the screen and restores the terminal. */
  end(): void
}

/**
 * Shows what happens while an operation runs: as a picture at a terminal, as lines in a pipe, or as JSON for a program.
 */
const liveFor = (operation: Operation, { host, terminal, isHuman, common }: LiveOptions): ShownLive => {
  const isQuiet = common.quiet === true
  const style = styleFor(host.env, terminal)
  const draws = isHuman && !isQuiet && terminal.isTerminal && host.env['TERM'] !== 'dumb'
  let interrupted: () => void = () => undefined
  let drawn: { end(): void } | undefined
  onInterrupt(() => interrupted())
  return {
    live: {
      tell: (news) => {
        if (!isHuman) return terminal.out(`${jsonText(news)}\n`)
        const line = isQuiet || drawn ? undefined : operation.cli.news?.(news, style)
        if (line !== undefined) terminal.out(`${line}\n`)
      },
      onInterrupt: (heard) => {
        interrupted = heard
      },
      ...(draws && {
        show: (picture: LivePicture) => {
          drawn?.end()
          drawn = drawLive(picture, host, () => interrupted())
        },
      }),
    },
    end: () => drawn?.end(),
  }
}

const redrawMs = 200

/**
 * Draws a picture below the cursor and keeps it up to date. q and Ctrl-C ask the operation to stop, and the view
 * stays until the operation has stopped.
 */
const drawLive = (picture: LivePicture, host: Host, interrupted: () => void): { end(): void } => {
  const terminal = openLiveTerminal()
  const screen = liveScreen(terminal)
  const draw = (): void => {
    const width = terminal.size().columns - 1
    screen.draw(picture.lines(styleFor(host.env, { isTerminal: true, width })))
  }
  const redraw = (): void => {
    screen.forget()
    draw()
  }
  terminal.onResize(redraw)
  terminal.takeKeys((key) => {
    if (key === 'q' || key === '\u0003') interrupted()
    else if (key === '\u001a') terminal.suspend(redraw)
    else picture.keys[key]?.()
    draw()
  })
  draw()
  const timer = setInterval(draw, redrawMs)
  return {
    end: () => {
      clearInterval(timer)
      draw()
      screen.end()
      terminal.close()
    },
  }
}
