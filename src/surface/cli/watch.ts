import * as audit from '../../audit/sql.ts'
import type { Host } from '../../host/host.ts'
import { endSignals, type LiveTerminal, openLiveTerminal } from '../../host/node-live-terminal.ts'
import { actorOf } from '../../kernel/actor.ts'
import { type Failure, fail, Refused, type Result } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { findCommand } from '../../operation/commands.ts'
import type { Operation } from '../../operation/operation.ts'
import { logLine, toLogEntry } from '../../overview/log-story.ts'
import type { Connection } from '../../perform/connection.ts'
import { load } from '../../perform/generated/load.ts'
import { type KeptConnection, keepConnection } from '../../perform/keep-connection.ts'
import { perform } from '../../perform/perform.ts'
import { printableData } from '../../print/printable.ts'
import { runLive, wakeablePause } from '../../terminal/live-view.ts'
import { styleFor, type Terminal } from '../../terminal/terminal.ts'
import { failureLines } from './failure-lines.ts'
import { drawnLines, forPeople, printed } from './human.ts'

interface Options {
  host: Host
  terminal: Terminal
  named?: string
}

const views = ['status', 'board', 'tree'] as const

/** Shows the work as it changes: a view that is redrawn at a terminal, or one line per change without a terminal. */
export const watch = async (words: readonly string[], options: Options): Promise<Failure | number> => {
  const asked = readWords(words)
  if ('ok' in asked) return asked
  const { host, terminal, named } = options
  const { command } = findCommand([asked.view])
  const kept = keepConnection(host, named)
  const watched: Watched = {
    ...asked,
    host,
    kept,
    operation: (await load(command!.operation))!,
    input: asked.task === undefined ? {} : { [asked.view === 'tree' ? 'id' : 'epic']: asked.task },
  }
  try {
    // Read the mark of the newest change before reading the view. If something changes between the two reads, the
    // next check finds another mark, and the view is read again.
    const begin = await lastMark(watched)
    if ('ok' in begin) return begin
    const first = await readView(watched)
    if (!first.ok) return first
    const live = openLiveTerminal()
    if (!terminal.isTerminal || host.env['TERM'] === 'dumb')
      return await stream(watched, { live, isTerminal: false }, Math.max(0, begin.seq - backfilled))
    const ended = await showLive(watched, live, { mark: begin.mark, view: first })
    if (typeof ended === 'number') return ended
    return 'stream' in ended ? await stream(watched, { live, isTerminal: true }, begin.seq) : ended
  } finally {
    await kept.close()
  }
}

interface Asked {
  view: (typeof views)[number]
  task?: string
}

interface Watched extends Asked {
  host: Host
  kept: KeptConnection
  operation: Operation
  input: Record<string, unknown>
}

/** How many earlier changes are printed first if the output is a pipe. */
const backfilled = 10

const readWords = (words: readonly string[]): Asked | Failure => {
  const view = views.find((name) => name === words[0])
  const task = words[view ? 1 : 0]
  const id = task === undefined ? undefined : parseTaskId(task)
  const wrong = task !== undefined && !id ? task : view === undefined ? words[1] : undefined
  if (wrong !== undefined)
    return fail('usage.invalid', {
      command: 'watch',
      problems: [
        {
          path: wrong,
          message: `"${wrong}" is neither a view (${views.join(', ')}) nor a task such as T012.`,
          fix: 'cleo watch --help',
        },
      ],
    })
  return { view: view ?? 'status', ...(id && { task: id }) }
}

/** A dry run, so that watching does not renew a claim. */
const readView = ({ kept, host, operation, input }: Watched): Promise<Result<unknown>> =>
  kept.use((connection) =>
    perform(operation, input, connection, {
      actor: actorOf(undefined, host.env['CLEO_AGENT_ID'], host.user),
      sessionId: host.env['CLEO_SESSION_ID'] || undefined,
      dryRun: true,
    }),
  )

/**
 * The newest row of the audit log. `seq` is its number. `mark` contains number and time, because after a restore
 * another row can have the same number.
 */
interface Mark {
  seq: number
  mark: string
}

/** If this mark differs from the mark before, the view is drawn again. */
const lastMark = (watched: Watched): Promise<Mark | Failure> =>
  reading(watched, async (connection) => {
    const store = await connection.store()
    const seq = await audit.lastSeq(store)
    return { seq, mark: `${seq} ${await audit.timeOf(store, seq)}` }
  })

/** If the store cannot be read, for example because the project is gone, returns the reason. */
const reading = async <T>(
  { kept }: Watched,
  read: (connection: Connection) => Promise<T>,
): Promise<T | Failure> => {
  try {
    return await kept.use(read)
  } catch (error) {
    if (error instanceof Refused) return error.failure
    throw error
  }
}

const showLive = (
  watched: Watched,
  live: LiveTerminal,
  first: { mark: string; view: Result<unknown> },
): Promise<number | Failure | { stream: true }> => {
  const { host, view, task } = watched
  let seen = first.mark
  let read: Result<unknown> | undefined = first.view
  let waitsFor: Failure | undefined
  return runLive<Failure | { stream: true }>(
    {
      async hasChanged() {
        const last = await lastMark(watched)
        if ('ok' in last) {
          if (!last.retryable) return last
          waitsFor = last
          read = undefined
          return true
        }
        const hasChanged = last.mark !== seen || waitsFor !== undefined
        if (hasChanged) read = undefined
        waitsFor = undefined
        seen = last.mark
        return hasChanged
      },
      async lines(width) {
        const result = read ?? (await readView(watched))
        read = undefined
        if (!result.ok && !result.retryable) return result
        const style = styleFor(host.env, { isTerminal: true, width }, result.ok ? forPeople(result) : {})
        const drawn = result.ok
          ? drawnLines(watched.operation, result, style)
          : failureLines(printableData(result), style)
        const foot = style.dim(footOf(`cleo watch ${view}${task ? ` ${task}` : ''}`, width))
        return (await printed([...drawn, '', foot], host, width)).trimEnd().split('\n')
      },
      keys: { s: () => ({ stream: true }) },
    },
    live,
    host.now,
  )
}

/** Names the keys on one line, because a short terminal shows only the last line of a view. */
const footOf = (name: string, width: number): string => {
  const keys = 'q ends · s prints changes'
  return [`${name} · ${keys}`, keys].find((foot) => foot.length <= width) ?? 'q ends'
}

const pollMs = 300
const mostAtOnce = 200

/**
 * Prints one line for each change whose number is higher than `from`. Continues with new changes until a signal comes
 * or the reader closes the pipe.
 */
const stream = async (
  watched: Watched,
  { live, isTerminal }: { live: LiveTerminal; isTerminal: boolean },
  from: number,
): Promise<number | Failure> => {
  const { host, task } = watched
  let ended: number | undefined
  const pause = wakeablePause()
  live.onSignal((signal) => {
    ended ??= endSignals[signal]
    pause.wake()
  })
  let seen = from
  let seenAt: number | undefined
  while (ended === undefined) {
    const found = await reading(watched, async (connection) => {
      const store = await connection.store()
      // After a restore, the number `seen` can belong to another row of the audit log, with another time.
      const isReplaced = seenAt !== undefined && (await audit.timeOf(store, seen)) !== seenAt
      const last = await audit.lastSeq(store)
      if (isReplaced) seen = last - 1
      const rows = await audit.rowsAfter(store, seen, task, mostAtOnce)
      // A change might have been written after `last` was read. So the last row can have a higher number than
      // `last`.
      const lastRow = Number(rows.at(-1)?.seq ?? 0)
      seen = rows.length === mostAtOnce ? lastRow : Math.max(last, lastRow)
      seenAt = await audit.timeOf(store, seen)
      return { isReplaced, rows }
    })
    if ('ok' in found && !found.retryable) return found
    if (!('ok' in found)) {
      const lines = found.rows.map((row) => logLine(printableData(toLogEntry(row))))
      if (found.isReplaced)
        lines.unshift('The database of the project was replaced; these are its changes now.')
      if (
        lines.length > 0 &&
        !live.write(await printed(lines, host, isTerminal ? live.size().columns : undefined))
      )
        return 0
      if (found.rows.length === mostAtOnce) continue
    }
    await pause.wait(pollMs)
  }
  return ended
}
