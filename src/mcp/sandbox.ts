import type { Host } from '../host/host.ts'
import { checkInput } from '../kernel/check-input.ts'
import { type Failure, fail, Refused, refuse } from '../kernel/result.ts'
import type { Operation } from '../operation/operation.ts'
import type { Connection } from '../perform/connection.ts'

/** Whether a person allows this server to run commands of the project. A clone's setting counts only once trusted. */
export const mayRunCommands = async (connection: Connection): Promise<boolean> => {
  try {
    return (await connection.project()).config.mcp?.runCommands === true
  } catch (error) {
    // The call itself reports a project that cannot be opened.
    if (error instanceof Refused) return false
    throw error
  }
}

/**
 * Refuses a call that would run commands of the project or write a file that the agent chose, with the command that does
 * it in the agent's own shell and sandbox. Wrong input is left to the operation, which reports it and runs nothing.
 */
export const outsideSandbox = (operation: Operation, input: object, command: string): Failure | undefined => {
  const { runsCommands, writesTo, name } = operation
  if (!runsCommands && !writesTo) return undefined
  const checked = checkInput(operation.input, input)
  if (!checked.ok) return undefined
  if (writesTo && (checked.value as Record<string, unknown>)[writesTo] !== undefined)
    return fail('commands.outside', { operation: name, what: 'file', command })
  const runs = typeof runsCommands === 'function' ? runsCommands(checked.value) : runsCommands
  return runs ? fail('commands.outside', { operation: name, what: 'commands', command }) : undefined
}

/**
 * Returns a host that starts no program but CLEO's own git, whatever an operation wants. Hooks of the project then do not
 * run either, also those that call git; the answer says so in a warning, and the change itself is kept.
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
