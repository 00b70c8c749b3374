import type { ProcessResult } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import type { Context, EmittedEvent } from '../operation/context.ts'
import { type HookCommand, hooksOf, stateOf } from '../project/trust-records.ts'
import { itemsOfHook } from '../project-commands/hook-files.ts'
import * as tasks from '../tasks/sql/tasks.ts'

const defaultSeconds = 10

/**
 * At most this many hooks run at the same time, because a batch of thousands of tasks must not start thousands of
 * processes.
 */
const atOnce = 8

/** The write is already committed, so a hook that fails gives only a warning. */
export const runHooks = async (
  context: Omit<Context, 'write'>,
  operation: string,
  emitted: readonly EmittedEvent[],
): Promise<string[]> => {
  const state = stateOf(context)
  const runs: (() => Promise<string | undefined>)[] = []
  for (const { event, task, spawn, run } of emitted) {
    const row = task === undefined ? undefined : await tasks.find(context.store, task)
    const message = JSON.stringify({
      event,
      operation,
      ...(row && { task: tasks.toLine(row) }),
      ...(spawn && { spawn }),
      ...(run && { run }),
      actor: context.actor.id,
      ...(context.session && { session: context.session.id }),
      project: context.root,
    })
    // Do not warn about untrusted hooks here, because every command of the project already warns about them.
    hooksOf(context.config, event).forEach((hook, i) => {
      const name = `${event} ${i + 1}`
      // Check the trust just before the hook runs, because the command itself may have changed the files.
      const isTrusted = () =>
        itemsOfHook(context, context.config, event, i).every((item) => state(item) === 'trusted')
      runs.push(async () => (isTrusted() ? runHook(context, name, hook, `${message}\n`) : undefined))
    })
  }
  const warnings: (string | undefined)[] = []
  const queue = runs.entries()
  const work = async (): Promise<void> => {
    for (const [i, run] of queue) warnings[i] = await run()
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, runs.length) }, work))
  return [...new Set(warnings.filter((warning) => warning !== undefined))]
}

const runHook = async (
  { host, root }: Omit<Context, 'write'>,
  name: string,
  hook: HookCommand,
  input: string,
) => {
  const [program, ...args] = hook.run as [string, ...string[]]
  const seconds = hook.timeout ?? defaultSeconds
  const ran = await host.processes.run(program, args, {
    cwd: root,
    env: childEnvironment(host.env),
    input,
    timeoutMs: seconds * 1000,
    maxBytes: 2000,
  })
  const ending = endingOf(ran, seconds)
  return ending && `hook ${name} (${hook.run.join(' ')}) ${ending}`
}

const endingOf = (ran: ProcessResult, seconds: number): string | undefined => {
  if (ran.end === 'not started') return `did not start: ${ran.reason}`
  if (ran.end !== 'exited') return `was stopped after ${seconds} s`
  if (ran.code === 0) return undefined
  const last = ran.tail.trim().split('\n').at(-1)
  return `failed with exit ${ran.code}${last ? `: ${last.slice(0, 200)}` : ''}`
}
