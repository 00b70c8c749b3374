/** A tool as `tools/list` describes it. */
export interface Tool {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }
}

export interface NamedTool extends Tool {
  operation: string
}

const anyOperation = (examples: string): Tool['inputSchema'] => ({
  type: 'object',
  properties: {
    domain: { type: 'string', description: examples },
    operation: { type: 'string' },
    params: { type: 'object', description: 'flags of the command in camelCase, and also `as` and `session`' },
  },
  required: ['domain', 'operation'],
})

/** The tools through which every operation can be called by its name. */
export const generalTools: readonly Tool[] = [
  {
    name: 'query',
    description:
      'Run any operation that reads. {domain:"admin",operation:"help",params:{tier:2}} lists all of them.',
    inputSchema: anyOperation('such as tasks, orchestrate, pipeline.manifest, memory'),
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  },
  {
    name: 'mutate',
    description: 'Run any operation that changes something. params also take dryRun.',
    inputSchema: anyOperation('such as tasks, focus, memory, session'),
    // With this tool, a client can also cancel tasks, move branches or run commands of the project.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

/** The text with which a client describes the server to its model. */
export const instructions = [
  'CLEO coordinates coding agents on one task graph. Tasks have ids such as T012.',
  'A subagent is named by its spawn id, such as T012.1: pass it as `as` in every call.',
  'Orchestrators: status, next, spawn, receive; the prompt "orchestrator" has the rules.',
  'A refusal has a code, a message and a fix. Run a fix that begins with cleo in your shell. spawn, receive, finish and',
  'evidence from tools run commands of the project, so by default they answer with the shell command to run.',
].join('\n')
