import type { Host } from '../host/host.ts'
import type { AgentRecord, WriteScope } from './agent-record.ts'
import { canRewrite, type HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'
import { judgeCommand } from './judge-command.ts'

interface SpawnCall {
  event: HookEvent
  /** The shell command, if the tool is a shell. */
  command: string | undefined
  spawn: string
  record: AgentRecord
  /** Reads the facts about the spawn again and writes them into the record. */
  renew(): Promise<AgentRecord>
}

/** Answers the hook that a client calls before a spawn's agent runs a shell command or writes a file. */
export const answerForSpawn = async (
  host: Host,
  { event, command, spawn, record, renew }: SpawnCall,
): Promise<HookAnswer | undefined> => {
  if (command !== undefined) return shellAnswer(event, command, spawn)
  // Import on demand, because most calls are commands and do not need this code.
  const { isOutside, writtenPaths } = await import('./write-scope.ts')
  const paths = writtenPaths(event)
  if (!paths.some((path) => isOutside(host, record.scope, path))) return undefined
  // The record can be a minute old, and the task can have declared more files since then. So renew the record
  // before refusing a write.
  const renewed = await renew()
  const outside = paths.filter((path) => isOutside(host, renewed.scope, path))
  return writeAnswer(renewed, outside)
}

const withCommand = (input: Record<string, unknown>, command: string): Record<string, unknown> => {
  const name = 'command' in input ? 'command' : 'cmd'
  const given = input[name]
  return { ...input, [name]: Array.isArray(given) ? [...given.slice(0, -1), command] : command }
}

const shellAnswer = (event: HookEvent, command: string, spawn: string): HookAnswer | undefined => {
  const verdict = judgeCommand(command, spawn)
  if (verdict.kind === 'pass') return undefined
  if (verdict.kind === 'deny') return verdict
  const says = `You are ${spawn}, so every cleo command needs --as ${spawn}.`
  return canRewrite(event, verdict)
    ? { kind: 'rewrite', input: withCommand(event.input, verdict.command), reason: says }
    : { kind: 'deny', reason: `${says} Run exactly this instead:\n${verdict.command}` }
}

const writeAnswer = ({ spawn, scope }: AgentRecord, [path]: readonly string[]): HookAnswer | undefined => {
  if (path === undefined || !scope) return undefined
  const text = `${path} is outside the folder and files of ${spawn}. ${insteadOf(path, spawn!, scope)}`
  return scope.otherwise === 'deny' ? { kind: 'deny', reason: text } : { kind: 'warn', text: `CLEO: ${text}` }
}

/** Tells an agent what to do instead of writing outside its scope: write somewhere else, or run a command. */
const insteadOf = (path: string, spawn: string, { root, worktree, declared }: WriteScope): string => {
  const checkout = [worktree, root].find((folder) => folder !== undefined && path.startsWith(`${folder}/`))
  const below = checkout === undefined ? '' : path.slice(checkout.length)
  if (/^\/(?:.*\/)?\.(?:git|cleo)(?:\/|$)/.test(below))
    return 'Only git and cleo write in .git and .cleo: use their commands.'
  if (worktree !== undefined)
    return `You work in ${worktree}: write ${checkout === root ? worktree + below : 'there'} instead.`
  const files = declared?.join(', ') ?? 'the output folder'
  return `Its files are: ${files}. If the task needs another file: cleo finish ${spawn.split('.')[0]} --as ${spawn} --status partial --finding "<done>" --open "<left>"`
}
