/** What the scripted model does, by agent. A scenario file holds it as JSON. */
export interface Scenario {
  agents: Record<string, Agent>
}

export interface Agent {
  /** The script starts at the first turn of the user that has this text. Tool results and instructions do not count. */
  when: string
  /** The script starts again at the last such turn: a session that is continued gets its prompt once more. */
  again?: true
  /** Names for what the model hears, each a pattern with one group; `${name}` in a step is its last match, `${last}` what tools answered last. */
  hears?: Record<string, string>
  /** One for each turn of the model, except those with `until`. The last one is repeated for ever. */
  steps: Step[]
}

export interface Step {
  /** Ends the turn of the model with this text, or stands before the call. */
  say?: string
  shell?: string
  read?: string
  write?: { file: string; text: string }
  /** A tool of CLEO's MCP server. */
  mcp?: { tool: string; input: Record<string, unknown> }
  /** Starts a subagent. */
  agent?: { type: string; prompt: string }
  /** Waits for the subagents; left out where the client waits by itself. */
  wait?: true
  /** Repeats the step until all these patterns have reached the model; leaves it out if they have already. */
  until?: string[]
  /** Left out where the request offers no tool for it: some clients hide what they would deny. */
  ifOffered?: true
  /** Several calls in one turn. */
  together?: Step[]
  /** Patterns of texts that must have reached the model by now, or the scenario is broken. */
  needs?: string[]
  /** What happens to the first requests instead of an answer. */
  fault?: { kind: 529 | 'drop' | 'hang'; times: number }
}
