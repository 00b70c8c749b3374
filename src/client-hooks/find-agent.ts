import type { Host } from '../host/host.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'
import { type AgentRecord, writeRecord } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { actorIn } from './judge-command.ts'
import { spawnOfPrompt, userTexts } from './transcript.ts'

/** How much of a conversation is read for its first prompt. Codex puts its own instructions before it. */
const headBytes = 512 * 1024

/** How long a stop waits for a conversation that is not written yet, and how often it looks. */
const waitMs = 1500
const stepMs = 50

/**
 * Finds which spawn an agent works on, renews the spawn's claim, and remembers the answer for the next calls. Asks, in
 * this order: what is already known, the environment, the first prompt of the conversation, this tool call, and what the
 * session handed out. An agent whose conversation is not written yet is asked about again.
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
  /** False if the agent may turn out to have one later. */
  isSure: boolean
}

/** The spawn that an agent names by its environment, its first prompt or this call, or that its session gave to it. */
export const spawnOf = async (host: Host, root: string, event: HookEvent): Promise<FoundSpawn> => {
  const named = canonicalSpawnId(host.env['CLEO_AGENT_ID'] ?? '')
  if (named) return { spawn: named, isSure: true }
  const isSubagent = event.agent !== undefined
  const written = await promptsIn(host, root, event)
  const prompts = [...(event.prompt === undefined ? [] : [event.prompt]), ...written]
  const spawn = spawnOfPrompt(prompts, isSubagent) ?? spawnOfCall(host, event, isSubagent, prompts.length > 0)
  if (!isSubagent || event.client !== 'claude') return { spawn, isSure: true }
  const handOuts = await import('./hand-outs.ts')
  if (spawn !== undefined || written.length > 0) {
    await handOuts.settleHandOut(host, root, event, spawn ?? null)
    return { spawn, isSure: true }
  }
  const handed = await handOuts.spawnHandedOut(host, root, event)
  if (handed === undefined)
    return { spawn: undefined, isSure: !(await handOuts.isSpawnOpen(host, root, event)) }
  await handOuts.settleHandOut(host, root, event, handed)
  return { spawn: handed, isSure: true }
}

/**
 * The texts of the user in the conversation. Claude may write that of a subagent only after the subagent has ended: a stop
 * waits for it, if the session has handed out a spawn.
 */
const promptsIn = async (host: Host, root: string, event: HookEvent): Promise<string[]> => {
  const { transcript, client, kind } = event
  if (transcript === undefined) return []
  const read = async () => userTexts((await host.files.head(transcript, headBytes)) ?? '')
  let texts = await read()
  if (texts.length > 0 || client !== 'claude' || kind !== 'subagent stop') return texts
  const { isSpawnOpen } = await import('./hand-outs.ts')
  if (!(await isSpawnOpen(host, root, event))) return texts
  for (let waited = 0; texts.length === 0 && waited < waitMs; waited += stepMs) {
    await new Promise((resolve) => setTimeout(resolve, stepMs))
    texts = await read()
  }
  return texts
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
