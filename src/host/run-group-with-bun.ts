import type { Bun, Output } from './bun.ts'
import { mostErrors, programReason } from './errno.ts'
import type { Processes, ProcessResult } from './host.ts'
import { graceMs, signalGroup, startingGroup } from './node-process-groups.ts'

/**
 * Runs a git command that can start other programs or take locks. To stop it after the timeout, sends SIGTERM to
 * its process group first, as `nodeProcesses` does. Avoids `node:child_process`, which takes three times as long to
 * start a program.
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
        // Git must not be killed at once, because it can hold locks.
        ...{ maxBuffer: maxBytes + 1, killSignal: 'SIGTERM' },
      }),
    )
    release = started.release
    const { child } = started
    let stopped: 'timed out' | 'overran' | undefined
    const late = Promise.withResolvers<undefined>()
    later(timeoutMs, () => {
      stopped = 'timed out'
      signalGroup(child.pid, 'SIGTERM')
      later(graceMs, () => signalGroup(child.pid, 'SIGKILL'))
      later(graceMs * 2, () => late.resolve(undefined))
    })
    const code = await Promise.race([child.exited, late.promise])
    signalGroup(child.pid, 'SIGKILL')
    // Output may still arrive after the exit, so wait for it. But do not wait forever, because a grandchild can
    // keep the pipe open. Do not read before the exit: `runWithBun` says why.
    later(graceMs, () => late.resolve(undefined))
    const output = collect(child.stdout)
    const errors = child.stderr && collect(child.stderr)
    await Promise.race([late.promise, Promise.all([output.done, errors?.done])])
    const bytes = output.bytes()
    if (bytes.length > maxBytes) stopped ??= 'overran'
    const tail = textOf(bytes.subarray(0, maxBytes))
    if (stopped) return { end: stopped, tail }
    const said = errors && { errors: textOf(errors.bytes().subarray(-mostErrors)) }
    return { end: 'exited', code: code ?? 1, tail, ...said }
  } catch (error) {
    return { end: 'not started', reason: programReason(error) }
  } finally {
    timers.forEach(clearTimeout)
    release()
  }
}

const collect = (output: Output) => {
  const chunks: Uint8Array[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of output) chunks.push(chunk)
  }
  return {
    // Reading ends with an error if the pipe is closed. Ignore the error, and keep what was read before.
    done: read().catch(() => undefined),
    bytes: (): Buffer => Buffer.concat(chunks),
  }
}

const textOf = (bytes: Buffer): string => bytes.toString('utf8')
