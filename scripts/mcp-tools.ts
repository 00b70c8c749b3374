import type { NamedTool } from '../src/mcp/tool.ts'
import type { Flag } from '../src/operation/command-table.ts'
import type { DocumentedOperation } from '../src/operation/operation.ts'
import { commandOf, type Found } from './operations.ts'

/** How many tools SPEC OPS-3 allows besides `query` and `mutate`. */
const mostTools = 16

export const mcpTools = (found: readonly Found[]): NamedTool[] => {
  const tools = found.flatMap(({ operation }) => (operation.tool ? [toolOf(operation, operation.tool)] : []))
  if (tools.length > mostTools) throw new Error(`${tools.length} MCP tools; at most ${mostTools} are allowed`)
  return tools.sort((a, b) => order(found, a) - order(found, b) || (a.name < b.name ? -1 : 1))
}

/** Queries come first, because some clients show or load only the first tools. */
const order = (found: readonly Found[], { operation }: NamedTool): number =>
  found.find((each) => each.operation.name === operation)!.operation.kind === 'query' ? 0 : 1

const toolOf = (operation: DocumentedOperation, fields: readonly string[]): NamedTool => {
  const { words, flags, summary, kind } = commandOf(operation)
  const offered = fields.map((key) => flags.find((flag) => flag.key === key)!)
  const required = offered.flatMap((flag) => (flag.required ? [flag.key] : []))
  return {
    operation: operation.name,
    name: words.replaceAll(/ (?:--)?/g, '_'),
    description: summary,
    inputSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(offered.map((flag) => [flag.key, schemaOf(flag)])),
        as: { type: 'string' },
      },
      ...(required.length > 0 && { required }),
    },
    annotations: {
      readOnlyHint: kind === 'query',
      // Every change can be undone with another command, and the audit log keeps the values from before.
      destructiveHint: false,
      // Tests and set-up commands of a project can reach other machines.
      openWorldHint: operation.runsCommands !== undefined,
    },
  }
}

const schemaOf = (flag: Flag): object => {
  const { description } = described(flag)
  switch (flag.kind) {
    case 'number':
      return { type: 'integer', ...description }
    case 'switch':
      return { type: 'boolean', ...description }
    case 'choice':
      return { type: 'string', enum: flag.choices, ...description }
    case 'list':
    case 'lines':
      return { type: 'array', items: { type: 'string' }, ...description }
    case 'rows':
      return { type: 'array', items: { type: 'object' }, ...description }
    case 'text':
      return { type: 'string', ...description }
  }
}

/**
 * Names of fields that need no description. Descriptions are left out where possible, because each agent spends tokens
 * on reading them.
 */
const plain = [
  ...[
    'id',
    'title',
    'description',
    'text',
    'query',
    'limit',
    'epic',
    'parent',
    'type',
    'status',
    'priority',
    'size',
  ],
  ...['depends', 'addDepends', 'removeDepends', 'files', 'addFiles', 'acceptance', 'addAcceptance'],
]

const described = ({ key, about }: Flag) => ({
  description: plain.includes(key) ? {} : { description: about },
})
