import type { AgentName, AgentSettings } from '../agent-processes/agent.ts'
import type { Price } from '../agent-processes/prices.ts'
import type { VerifyPolicy } from '../kernel/config-words.ts'

/** Stored with the run, so that a resume uses the same options. */
export interface RunOptions extends AgentSettings {
  agent: AgentName
  parallel: number
  maxTokens?: number
  maxCost?: number
  /** Whether the run merges the work into the user's branch at the end. */
  land?: boolean
  /** Milliseconds without output after which an agent is ended. */
  idleMs?: number
  totalMs?: number
  onLoss: 'end' | 'finish'
  /** How the commands that check the work are started. Older runs do not have this option. */
  verify?: VerifyPolicy
  /** Set until an agent has split the epic and a person has said yes to the tasks. */
  plan?: true
  /** US dollars for a million tokens. Used if the client reports no cost. */
  price?: Price
}

/** Returns the sandbox for the project's commands as an option of `context.call`. */
export const sandboxOf = ({ verify }: Pick<RunOptions, 'verify'>) =>
  verify === 'bubblewrap' ? { sandbox: verify } : {}

export const mostAttempts = 3
export const failuresToStop = 5

export const optionsOfRun = ({ options }: { options: string }): RunOptions =>
  JSON.parse(options) as RunOptions
