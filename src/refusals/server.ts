import { refusal } from './refusal.ts'

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
        ? `${operation} changes the project, so call the tool "mutate" with the same arguments.`
        : `${operation} only reads, so call the tool "query" with the same arguments.`,
    fix: () => 'cleo admin help --tier 2',
  }),
  'commands.outside': refusal<OutsideCall>({
    exit: 64,
    message: ({ operation, what, command }) => {
      const why = 'because this server runs outside the sandbox of its client'
      if (command === undefined) return `CLEO does not start ${operation} over MCP, ${why}.`
      return `${operation} ${whatItDoes[what]}. CLEO does not do that over MCP, ${why}. Run this command in your own shell.`
    },
    fix: ({ command }) => command,
    alternatives: () => ['A person can allow it for this project: cleo config set mcp.runCommands true'],
  }),
  'call.cancelled': refusal<{ command: string }>({
    exit: 1,
    message: ({ command }) =>
      `The client cancelled the call, so CLEO ended ${command}. Nothing was recorded.`,
    fix: () => 'cleo status',
  }),
  'program.replaced': refusal<object>({
    exit: 1,
    message: () => 'The program files of cleo were replaced or removed while the MCP server was running.',
    fix: () => 'cleo version',
    alternatives: () => [
      'If cleo version works, restart the MCP server in your client. If not, install CLEO again first.',
    ],
  }),
})

const whatItDoes = {
  commands: 'runs commands of the project',
  'written file': 'writes a file that its caller names',
  'read file': 'reads a file that its caller names',
}

export interface OutsideCall {
  /** The name of the operation. If CLEO would start a program instead, the name of that program. */
  operation: string
  what: keyof typeof whatItDoes
  /** The same call as a shell command; undefined for a program. */
  command?: string
}
