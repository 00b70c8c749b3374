import { refusal } from './refusal.ts'

/** Refusals of a server that agents call: by the name of the operation, or because it would act outside their sandbox. */
export const server = () => ({
  'operation.unknown': refusal<{ given: string; near: readonly string[] }>({
    exit: 2,
    message: ({ given, near }) =>
      `There is no operation "${given}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
    fix: () => 'cleo admin help --tier 2',
    alternatives: () => ['Over MCP: query {"domain":"admin","operation":"help","params":{"tier":2}}'],
  }),
  'operation.kind': refusal<{ operation: string; kind: 'query' | 'mutate' }>({
    exit: 2,
    message: ({ operation, kind }) =>
      kind === 'mutate'
        ? `${operation} changes the project; call the tool mutate with the same arguments.`
        : `${operation} only reads; call the tool query with the same arguments.`,
    fix: () => 'cleo admin help --tier 2',
  }),
  'commands.outside': refusal<OutsideCall>({
    exit: 64,
    message: ({ operation, what, command }) => {
      const why = 'because this server runs outside the sandbox of its client'
      if (command === undefined) return `Over MCP CLEO does not start ${operation}, ${why}.`
      const does =
        what === 'commands' ? 'runs commands of the project' : 'writes a file that its caller names'
      return `${operation} ${does}. CLEO does not do that over MCP, ${why}. Run it in your own shell.`
    },
    fix: ({ command }) => command,
    alternatives: () => ['A person can allow it for this project: cleo config set mcp.runCommands true'],
  }),
  'program.replaced': refusal<object>({
    exit: 1,
    message: () => 'The files of this cleo were replaced or removed while its server was running.',
    fix: () => 'cleo version',
    alternatives: () => ['Restart the MCP server in your client.'],
  }),
})

export interface OutsideCall {
  /** The operation, or for a program that CLEO would start, its name. */
  operation: string
  what: 'commands' | 'file'
  /** The same call as a shell command; undefined for a program. */
  command?: string
}
