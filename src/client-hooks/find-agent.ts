import type { Host } from '../host/host.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'
import { type AgentRecord, writeRecord } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { actorIn } from './judge-command.ts'
import { spawnOfPrompt, userTexts } from './transcript.ts'

/** How much of a conversation is read for its first prompt. Codex puts its own instructions before it. */
const headBytes = 512 * 1024

/**
 * Finds which spawn an agent works on, renews the spawn's claim, and remembers the answer for the next calls. Asks, in
 * this order: what is already known, the environment, the first prompt of the conversation, and this tool call.
 */
export const findAgent = async (
  host: Host,
  root: string,
  event: HookEvent,
  before?: AgentRecord,
): Promise<AgentRecord> => {
  const spawn = before?.spawn ?? (await spawnOf(host, event))
  const record: AgentRecord = (spawn && (await recordOf(host, root, spawn))) || { spawn: null }
  await writeRecord(host, root, event, record)
  return record
}

const recordOf = async (host: Host, root: string, spawn: string): Promise<AgentRecord | undefined> => {
  const { spawnRecord } = await import('./spawn-record.ts')
  return spawnRecord(host, root, spawn)
}

/** The spawn that an agent names by its environment, its first prompt or this call. */
export const spawnOf = async (host: Host, event: HookEvent): Promise<string | undefined> => {
  const named = canonicalSpawnId(host.env['CLEO_AGENT_ID'] ?? '')
  if (named) return named
  const isSubagent = event.agent !== undefined
  const prompts = event.prompt === undefined ? [] : [event.prompt]
  if (event.transcript !== undefined)
    prompts.push(...userTexts((await host.files.head(event.transcript, headBytes)) ?? ''))
  return spawnOfPrompt(prompts, isSubagent) ?? spawnOfCall(host, event, isSubagent, prompts.length > 0)
}

/**
 * The spawn that a subagent names in its own command or file, or whose worktree it works in. A session of a person or an
 * orchestrator may do the same for other reasons, so there both must agree. A subagent that reads the prompt of a spawn
 * is that spawn only if its own prompt is not known: another one may review what the spawn was told.
 */
const spawnOfCall = (
  { cwd }: Host,
  { input }: HookEvent,
  isSubagent: boolean,
  isPromptKnown: boolean,
): string | undefined => {
  const command = input['command'] ?? input['cmd']
  const acts = typeof command === 'string' ? actorIn(command) : undefined
  const here = spawnOfFolder(cwd)
  if (!isSubagent) return acts !== undefined && acts === here ? acts : undefined
  if (isPromptKnown) return acts ?? here
  const file = input['file_path'] ?? input['path'] ?? command
  const reads = typeof file === 'string' ? /\.cleo\/spawns\/(T\d+\.\d+)\.md/.exec(file)?.[1] : undefined
  return acts ?? here ?? reads
}

/** CLEO's worktrees are in folders that have the name of their spawn: `worktrees/T003.1`. */
const spawnOfFolder = (folder: string): string | undefined => /\/(T\d{3,}\.\d+)(?:\/|$)/.exec(folder)?.[1]
