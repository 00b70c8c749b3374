import { type AgentKind, type AgentName, agentNames } from '../agent-processes/agent.ts'
import { installedClients } from '../clients/installed.ts'
import type { Host } from '../host/host.ts'
import { runDefaults } from '../kernel/config-words.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { shellWords } from '../kernel/shell-words.ts'
import type { Project } from '../operation/context.ts'
import type { RunOptions } from './run-options.ts'

export const agentCodes = ['run.agents', 'run.agentless', 'run.agent', 'run.cost', 'input.invalid'] as const
type AgentCode = (typeof agentCodes)[number]

export interface GivenOptions {
  agent?: AgentName
  command?: string
  scenario?: string
  parallel?: number
  maxTokens?: number
  maxCost?: number
  land?: boolean
}

/** Returns the options of a run. The agent is the given one, else the configured one, else the only installed one. */
export const chooseOptions = (
  { host, config }: Pick<Project, 'host' | 'config'>,
  epic: string,
  given: GivenOptions,
): Result<RunOptions, AgentCode> => {
  const settings = config.run ?? {}
  const words = given.command === undefined ? undefined : shellWords(given.command)
  if (words && !words.ok)
    return fail('input.invalid', { problems: [{ path: 'command', message: words.why }] })
  const command = words?.words ?? settings.command?.run
  const named = given.agent ?? (given.command === undefined ? settings.agent : 'command')
  const installed = named ? [] : startable(installedClients(host))
  if (!named && installed.length > 1) return fail('run.agents', { epic, installed })
  const agent = named ?? installed[0]
  if (!agent) return fail('run.agentless', { epic })
  const { idle, total, onLoss, verify } = { ...runDefaults, ...settings }
  const maxTokens = given.maxTokens ?? settings.maxTokens
  const maxCost = given.maxCost ?? settings.maxCost
  const price = agent === 'scripted' ? undefined : settings.prices?.[agent]
  return ok({
    agent,
    parallel: given.parallel ?? settings.parallel ?? runDefaults.parallel,
    ...{ idleMs: idle * 60_000, totalMs: total * 60_000, onLoss, verify },
    ...(command && { command: [absolute(host, command[0]!), ...command.slice(1)] }),
    ...(given.scenario !== undefined && { scenario: resolvePath(host.cwd, given.scenario) }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCost }),
    ...(given.land && { land: true }),
    ...(price && { price }),
  })
}

/** Makes the path of a program absolute, because the run can be resumed in another folder. */
const absolute = ({ cwd }: Host, program: string): string =>
  program.includes('/') ? resolvePath(cwd, program) : program

const startable = (clients: readonly string[]): AgentName[] =>
  agentNames.filter((name) => clients.includes(name))

/** Called before anything is recorded. */
export const agentProblem = (
  { host }: Pick<Project, 'host'>,
  kind: AgentKind,
  options: RunOptions,
): Failure<AgentCode> | undefined => {
  if (options.maxCost !== undefined && !kind.reportsCost && !options.price)
    return fail('run.cost', { agent: kind.name })
  const found = kind.find(host, options)
  if (!('problem' in found)) return undefined
  const { message, fix } = found.problem
  return fail('run.agent', { agent: kind.name, why: message, ...(fix && { fix }) })
}
