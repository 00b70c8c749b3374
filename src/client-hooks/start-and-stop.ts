import * as spawns from '../claims/sql/spawns.ts'
import type { Host } from '../host/host.ts'
import { actorOf } from '../kernel/actor.ts'
import { connect } from '../perform/connection.ts'
import { load } from '../perform/generated/load.ts'
import { perform } from '../perform/perform.ts'
import { type AgentRecord, givenPromptsFolder, isNewDay, knownAgent, recordsFolder } from './agent-record.ts'
import type { HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'

export const atStartOrStop = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> => {
  if (event.kind === 'subagent start') return subagentContext(host, event)
  // Copilot calls two hooks when a subagent stops. Ignore the hook `stop`, because only the hook `subagent stop` gets
  // the last message.
  if (event.client === 'copilot' && event.kind === 'stop' && event.agent !== undefined) return undefined
  const known = knownAgent(host, root, event)
  const before = await known?.read()
  if (event.kind === 'session start') return sessionContext(host, root, event, before)
  const isFresh = before !== undefined && (known!.hasSpawn || !known!.isDue)
  const spawn = isFresh ? before.spawn : await found(host, root, event)
  if (!spawn) return undefined
  const { stopGate } = await import('./stop-gate.ts')
  return stopGate(host, spawn, event)
}

const found = async (host: Host, root: string, event: HookEvent): Promise<string | undefined> => {
  const { spawnOf } = await import('./find-agent.ts')
  return (await spawnOf(host, root, event)).spawn
}

/** Returns the text that a session gets when it starts, and again after its context was compacted. */
const sessionContext = async (
  host: Host,
  root: string,
  event: HookEvent,
  known: AgentRecord | undefined,
): Promise<HookAnswer | undefined> => {
  await removeOldRecords(host)
  // Make the folders that agents write to, because git removes empty folders and an agent in the sandbox of Codex
  // cannot make them. This hook runs outside the sandbox.
  if (event.client === 'codex') {
    const { makeWrittenFolders } = await import('../worktrees/written-folders.ts')
    makeWrittenFolders(host, root)
  }
  const spawn = host.env['CLEO_AGENT_ID'] || known?.spawn || (await spawnOfFirstPrompt(host, root, event))
  if (spawn) {
    const file = `${root}/.cleo/spawns/${spawn}.md`
    return { kind: 'context', text: `You are ${spawn}. Read ${file} and follow it exactly.\n\n${contract}` }
  }
  if (event.agent !== undefined) return undefined
  const connection = connect({ host, wait: 'block' })
  const operation = (await load('orchestrate.prime'))!
  const caller = { actor: actorOf(undefined, undefined, host.user), dryRun: false }
  const result = await perform(operation, {}, connection, caller)
  if (!result.ok) throw new Error(result.message)
  return { kind: 'context', text: (result.value as { document: string }).document }
}

/**
 * Returns the spawn whose prompt is the first prompt of a session. Records the spawn for later hooks, because Copilot
 * does not give them the prompt. They could not read it in the conversation either: Copilot sometimes writes the
 * conversation only at the end of the session.
 */
const spawnOfFirstPrompt = async (host: Host, root: string, event: HookEvent): Promise<string | null> => {
  if (event.prompt === undefined || event.agent !== undefined) return null
  const { findAgent } = await import('./find-agent.ts')
  return (await findAgent(host, root, event)).spawn
}

/** Removes old records at most once a day. */
const removeOldRecords = async (host: Host): Promise<void> => {
  const folder = recordsFolder(host)
  if (folder === undefined || !(await isNewDay(host, `${folder}.removed`))) return
  const old = await import('./old-records.ts')
  old.removeOldRecords(host, folder)
  old.removeOldRecords(host, givenPromptsFolder(host)!)
}

/**
 * Returns the contract for a subagent that starts. CLEO's own agent types always get the contract. Any other
 * subagent gets it while a spawn is out, because the subagent could be working on this spawn.
 */
const subagentContext = async (
  host: Host,
  { agentType = '' }: HookEvent,
): Promise<HookAnswer | undefined> => {
  const answer: HookAnswer = { kind: 'context', text: contract }
  if (agentType.includes('cleo')) return answer
  const connection = connect({ host, wait: 'block' })
  const out = await spawns.latestOut(await connection.store())
  return out.length > 0 ? answer : undefined
}

/**
 * The rules for a subagent, in short. They are repeated here because Claude Code tells every subagent the opposite: to
 * return its findings and write no report files.
 */
const contract = [
  'CLEO contract. It applies to you if your prompt names a spawn such as T012.1, or a file .cleo/spawns/T012.1.md; it then overrides any other advice about reports and final messages.',
  '- Read that file first and follow it literally. Work in the folder that it names.',
  '- Write the output file and submit the manifest entry that it asks for, although you may have been told not to write report files.',
  '- Every `cleo` command carries `--as <your spawn id>`.',
  '- End with `cleo finish <task> --as <your spawn id> --finding "<what the next agent needs to know>"` and do what it lists.',
  '- Your last message is exactly the one line that the prompt gives, without findings or a summary.',
].join('\n')
