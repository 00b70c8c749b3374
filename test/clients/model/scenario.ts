/** What the scripted model does, by agent. A scenario file contains it as JSON. */
export interface Scenario {
  agents: Record<string, Agent>
}

export interface Agent {
  /**
   * The agent's steps start at the first turn of the user that contains this text. Tool results and instructions do
   * not count.
   */
  when: string
  /**
   * Missing for most agents. If set, the agent's steps start at the last turn that contains `when`, because a
   * continued session gets its prompt a second time.
   */
  again?: true
  /**
   * Named patterns for what the model hears, each with one group. In a step, `${name}` stands for the last match, and
   * `${last}` for the last answer of a tool.
   */
  hears?: Record<string, string>
  /**
   * One step for each turn of the model; a step with `until` can take several turns. The last step is repeated for
   * ever.
   */
  steps: Step[]
}

export interface Step {
  /** A text that ends the turn of the model or, in a step with a call, comes before the call. */
  say?: string
  shell?: string
  read?: string
  write?: { file: string; text: string }
  /** Calls a tool of CLEO's MCP server. */
  mcp?: { tool: string; input: Record<string, unknown> }
  /** Starts a subagent. */
  agent?: { type: string; prompt: string }
  /** Waits for the subagents. The step is left out if the client waits by itself. */
  wait?: true
  /**
   * Repeats the step until the model has heard all these patterns. Leaves the step out if the model has heard them
   * already.
   */
  until?: string[]
  /** Leaves the step out if the request offers no tool for it. Some clients hide tools that they would deny. */
  ifOffered?: true
  /** Makes several calls in one turn. */
  together?: Step[]
  /** Patterns that the model must have heard by now. If not, the scenario is broken. */
  needs?: string[]
  /** What the server does with the first requests of this step instead of answering them. */
  fault?: { kind: 529 | 'drop' | 'hang'; times: number }
}
