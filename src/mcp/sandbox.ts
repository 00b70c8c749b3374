import type { Host } from '../host/host.ts'
import { checkInput } from '../kernel/check-input.ts'
import { type Failure, fail, Refused, refuse } from '../kernel/result.ts'
import type { Operation } from '../operation/operation.ts'
import type { Connection } from '../perform/connection.ts'

/** If the setting `mcp.runCommands` came with a clone, it counts only after a person has trusted it. */
export const mayRunCommands = async (connection: Connection): Promise<boolean> => {
  try {
    return (await connection.project()).config.mcp?.runCommands === true
  } catch (error) {
    // Ignore this error, because the called operation opens the project again and reports the error itself.
    if (error instanceof Refused) return false
    throw error
  }
}

/**
 * Refuses a call that would run commands of the project, or write or read a file that the agent chose. The fix is the
 * command line that does the same in the agent's own shell and sandbox. Invalid input is not refused here, because the
 * operation refuses it before running anything.
 */
export const outsideSandbox = (operation: Operation, input: object, command: string): Failure | undefined => {
  const { runsCommands, writesTo, readsFile, name } = operation
  if (!runsCommands && !writesTo && !readsFile) return undefined
  const checked = checkInput(operation.input, input)
  if (!checked.ok) return undefined
  if (writesTo && (checked.value as Record<string, unknown>)[writesTo] !== undefined)
    return fail('commands.outside', { operation: name, what: 'written file', command })
  if (readsFile?.(checked.value))
    return fail('commands.outside', { operation: name, what: 'read file', command })
  const runs = typeof runsCommands === 'function' ? runsCommands(checked.value) : runsCommands
  return runs ? fail('commands.outside', { operation: name, what: 'commands', command }) : undefined
}

/**
 * Returns a host for one call. If the client cancels the call, the running command is ended and no further command is
 * started. The call then ends with a refusal, so nothing is recorded about the interrupted command. A git command is
 * not ended, because it may be in the middle of a merge.
 */
export const cancellable = (host: Host, signal: AbortSignal): Host => ({
  ...host,
  processes: {
    run: async (program, args, options) => {
      if (options.git) return host.processes.run(program, args, options)
      if (signal.aborted) return refuse('call.cancelled', { command: program })
      const ran = await host.processes.run(program, args, { ...options, signal })
      return ran.end === 'cancelled' ? refuse('call.cancelled', { command: program }) : ran
    },
  },
})

/**
 * Returns a host that starts no program except for the git commands of CLEO itself. A hook of the project does not
 * run, even if it calls git. Changes are still stored, and the answer warns that the hooks did not run.
 */
export const withoutCommands = (host: Host): Host => ({
  ...host,
  processes: {
    run: async (program, args, options) =>
      options.git
        ? host.processes.run(program, args, options)
        : refuse('commands.outside', { operation: program, what: 'commands' }),
  },
})
