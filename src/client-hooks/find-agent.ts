import type { Host } from '../host/host.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'
import { type AgentRecord, writeRecord } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { spawnOfPrompt, userTexts } from './transcript.ts'

/**
 * How many bytes of a conversation are read to find its first prompt. The number is large because Codex writes long
 * instructions before the prompt.
 */
const headBytes = 512 * 1024

/**
 * Clients that do not always pass the prompt of a subagent to the hooks of this subagent. For these clients, CLEO
 * records the prompts that sessions give to subagents.
 */
const promptsRecorded: readonly string[] = ['claude', 'copilot', 'qwen']

/**
 * A client sometimes calls a stop hook before it has written the conversation. In this case, the hook waits at most
 * `waitMs` for the conversation and checks every `stepMs`.
 */
const waitMs = 1500
const stepMs = 50

/**
 * Finds the spawn that an agent works on, renews the spawn's claim, and records the spawn for later calls. If the
 * earlier record (`before`) names a spawn, uses that spawn. Otherwise asks `spawnOf`. If `spawnOf` finds no spawn, but
 * a later call still could, records nothing.
 */
export const findAgent = async (
  host: Host,
  root: string,
  event: HookEvent,
  before?: AgentRecord,
): Promise<AgentRecord> => {
  const { spawn, isSure } = before?.spawn
    ? { spawn: before.spawn, isSure: true }
    : await spawnOf(host, root, event)
  const record: AgentRecord = (spawn && (await recordOf(host, root, spawn))) || { spawn: null }
  if (isSure) await writeRecord(host, root, event, record)
  return record
}

const recordOf = async (host: Host, root: string, spawn: string): Promise<AgentRecord | undefined> => {
  const { spawnRecord } = await import('./spawn-record.ts')
  return spawnRecord(host, root, spawn)
}

export interface FoundSpawn {
  spawn: string | undefined
  /** False if a later call could still find a spawn for this agent. */
  isSure: boolean
}

/**
 * Returns the spawn that an agent works on. Looks in these places, in this order:
 * - the environment
 * - the first prompt of the conversation
 * - the call that the hook reports
 * - the prompts that the session gave to subagents
 */
export const spawnOf = async (host: Host, root: string, event: HookEvent): Promise<FoundSpawn> => {
  const named = canonicalSpawnId(host.env['CLEO_AGENT_ID'] ?? '')
  if (named) return { spawn: named, isSure: true }
  const isSubagent = event.agent !== undefined
  const written = await promptsIn(host, root, event)
  const prompts = [...(event.prompt === undefined ? [] : [event.prompt]), ...written]
  const spawn =
    spawnOfPrompt(prompts, isSubagent) ?? (await spawnOfCall(host, event, isSubagent, prompts.length > 0))
  if (!isSubagent) return { spawn, isSure: spawn !== undefined || prompts.length > 0 || !isUnwritten(event) }
  if (!promptsRecorded.includes(event.client)) return { spawn, isSure: true }
  const givenPrompts = await import('./given-prompts.ts')
  if (spawn !== undefined || written.length > 0) {
    await givenPrompts.assignGivenPrompt(host, root, event, spawn ?? null)
    return { spawn, isSure: true }
  }
  const given = await givenPrompts.spawnOfGivenPrompt(host, root, event)
  if (given === undefined)
    return { spawn: undefined, isSure: !(await givenPrompts.isSpawnOpen(host, root, event)) }
  await givenPrompts.assignGivenPrompt(host, root, event, given)
  return { spawn: given, isSure: true }
}

/**
 * Whether the first prompt of a session can still be missing in the conversation. Claude sometimes calls a hook before
 * it has written the prompt. False for a stop hook, because `promptsIn` has already waited for the prompt.
 */
const isUnwritten = ({ client, transcript, kind }: HookEvent): boolean =>
  client === 'claude' && transcript !== undefined && kind !== 'stop'

/**
 * Returns the user's texts in the conversation. A stop hook waits for them, because Claude sometimes writes them
 * only after the agent has ended. The stop hook of a subagent waits only if the subagent might have got the prompt
 * of a spawn.
 */
const promptsIn = async (host: Host, root: string, event: HookEvent): Promise<string[]> => {
  const { transcript, client, kind } = event
  if (transcript === undefined) return []
  const read = async () => userTexts((await host.files.head(transcript, headBytes)) ?? '')
  let texts = await read()
  if (texts.length > 0 || client !== 'claude' || (kind !== 'stop' && kind !== 'subagent stop')) return texts
  if (kind === 'subagent stop') {
    const { isSpawnOpen } = await import('./given-prompts.ts')
    if (!(await isSpawnOpen(host, root, event))) return texts
  }
  for (let waited = 0; texts.length === 0 && waited < waitMs; waited += stepMs) {
    await new Promise((resolve) => setTimeout(resolve, stepMs))
    texts = await read()
  }
  return texts
}

/**
 * Returns the spawn that a call names. A call can name a spawn in three ways:
 * - by `--as` or CLEO_AGENT_ID in a `cleo` command
 * - by its working folder, if this is the worktree of a spawn
 * - by the path of a prompt file that it reads
 *
 * For a subagent, one of the three is enough. If the subagent's own prompt is known, the prompt file does not count,
 * because a reviewer can read the prompt of another agent. For a session, the command and the folder must name the
 * same spawn, because a person or an orchestrator can name a spawn for other reasons.
 */
const spawnOfCall = async (
  { cwd }: Host,
  { input }: HookEvent,
  isSubagent: boolean,
  isPromptKnown: boolean,
): Promise<string | undefined> => {
  const command = input['command'] ?? input['cmd']
  // Import on demand, because only calls with a `cleo` command need this code.
  const acts =
    typeof command === 'string' && command.includes('cleo')
      ? (await import('./judge-command.ts')).actorIn(command)
      : undefined
  const here = spawnOfFolder(cwd)
  if (!isSubagent) return acts !== undefined && acts === here ? acts : undefined
  if (isPromptKnown) return acts ?? here
  const file = input['file_path'] ?? input['path'] ?? command
  const reads = typeof file === 'string' ? /\.cleo\/spawns\/(T\d+\.\d+)\.md/.exec(file)?.[1] : undefined
  return acts ?? here ?? reads
}

/** The folder of a worktree has the name of its spawn: `worktrees/T003.1`. */
const spawnOfFolder = (folder: string): string | undefined => /\/(T\d{3,}\.\d+)(?:\/|$)/.exec(folder)?.[1]
