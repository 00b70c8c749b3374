import type { Bun, Output } from './bun.ts'
import { mostErrors, programReason } from './errno.ts'
import type { Processes, ProcessResult } from './host.ts'
import { endGroup, graceMs, startingGroup } from './process-groups.ts'

/**
 * Runs git with a command that may start other programs or take locks. Ends its process group with SIGTERM first, as
 * `nodeProcesses` does. Avoids `node:child_process`, which takes three times as long to start a program, and makes two
 * buffers of 256 KB for it.
 */
export const runGroupWithBun = async (
  bun: Bun,
  ...[program, args, options]: Parameters<Processes['run']>
): Promise<ProcessResult> => {
  const { cwd, env, input, timeoutMs, maxBytes, keepErrors } = options
  const timers: NodeJS.Timeout[] = []
  const later = (ms: number, work: () => void) => timers.push(setTimeout(work, ms))
  let release = (): void => undefined
  try {
    const started = startingGroup(() =>
      bun.spawn([program, ...args], {
        ...{ cwd, env, stdin: input === '' ? ('ignore' as const) : new TextEncoder().encode(input) },
        ...{ stdout: 'pipe', stderr: keepErrors ? 'pipe' : 'ignore', detached: true },
      }),
    )
    release = started.release
    const { child } = started
    let stopped: 'timed out' | 'overran' | undefined
    const closed = Promise.withResolvers<void>()
    const stop = (why: typeof stopped) => {
      if (stopped) return
      stopped = why
      endGroup(child.pid, 'SIGTERM')
      later(graceMs, () => endGroup(child.pid, 'SIGKILL'))
      later(graceMs * 2, closed.resolve)
    }
    later(timeoutMs, () => stop('timed out'))
    const output = collect(child.stdout, maxBytes, () => stop('overran'))
    const errors = child.stderr && collect(child.stderr, mostErrors)
    // Output may still arrive after the exit, so wait for it. But do not wait forever, because a grandchild may keep
    // the pipe open.
    const code = child.exited.then((found) => {
      endGroup(child.pid, 'SIGKILL')
      later(graceMs, closed.resolve)
      return found
    })
    await Promise.race([closed.promise, Promise.all([code, output.done, errors?.done])])
    endGroup(child.pid, 'SIGKILL')
    const tail = output.text()
    if (stopped) return { end: stopped, tail }
    return { end: 'exited', code: await code, tail, ...(errors && { errors: errors.text() }) }
  } catch (error) {
    return { end: 'not started', reason: programReason(error) }
  } finally {
    timers.forEach(clearTimeout)
    release()
  }
}

/** Keeps the last bytes of an output. Calls `overran` when there are more than `most`. */
const collect = (output: Output, most: number, overran?: () => void) => {
  const chunks: Uint8Array[] = []
  let kept = 0
  const read = async (): Promise<void> => {
    for await (const chunk of output) {
      chunks.push(chunk)
      kept += chunk.length
      if (kept > most) overran?.()
      while (kept - chunks[0]!.length >= most) kept -= chunks.shift()!.length
    }
  }
  return {
    // Reading ends with an error if the pipe is closed. What was read so far counts.
    done: read().catch(() => undefined),
    text: (): string => Buffer.concat(chunks).subarray(-most).toString('utf8'),
  }
}
