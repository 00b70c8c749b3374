import type { Host } from '../host/host.ts'
import { givenPromptFile, givenPromptsOf } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { spawnOfPrompt } from './transcript.ts'

/** One call of the tool that starts a subagent. The client does not say which agent the call started. */
interface GivenPrompt {
  /** The spawn that the prompt names; null if it names none. */
  spawn: string | null
  type: string
  /** The agent that got the prompt, once that is known. */
  agent?: string
}

/** The agent type that Claude uses if none is given. */
const defaultType = 'general-purpose'

/**
 * Records the prompt that a session gives to a subagent. CLEO cannot rely on the conversation of the subagent,
 * because some clients write the conversation too late.
 */
export const recordGivenPrompt = async (host: Host, root: string, event: HookEvent): Promise<void> => {
  const { prompt, subagent_type, agent_type: type = subagent_type } = event.input
  const path = typeof prompt === 'string' ? givenPromptFile(host, root, event, prompt) : undefined
  if (path === undefined || typeof prompt !== 'string') return
  const noted: GivenPrompt = {
    spawn: spawnOfPrompt([prompt], true) ?? null,
    type: typeof type === 'string' ? type : defaultType,
  }
  await host.files.put(path, JSON.stringify(noted), 0o600)
}

interface Noted extends GivenPrompt {
  path: string
}

/**
 * If CLEO knows which prompt the session gave to this agent, returns this prompt. Otherwise returns all prompts
 * that the agent might have got.
 */
export const openFor = async (host: Host, root: string, event: HookEvent): Promise<Noted[]> => {
  const found: Noted[] = []
  for (const { path, call } of givenPromptsOf(host, root, event)) {
    const noted = parsed(await host.files.head(path, 4096))
    // In Qwen, the id of a subagent ends with the id of the call that started it.
    const isOwn = event.client === 'qwen' && event.agent?.endsWith(`-${call}`)
    if (noted && (isOwn || (noted.agent !== undefined && noted.agent === event.agent)))
      return [{ ...noted, path }]
    if (noted && noted.agent === undefined) found.push({ ...noted, path })
  }
  return found
}

const parsed = (text: string | undefined): GivenPrompt | undefined => {
  try {
    return JSON.parse(text ?? '') as GivenPrompt
  } catch {
    // The file is incomplete, because another call is writing it now.
    return undefined
  }
}

const isOfType = ({ type }: GivenPrompt, { agentType = type }: HookEvent): boolean => type === agentType

/** Whether the session might have given this agent a prompt that names a spawn. */
export const isSpawnOpen = async (host: Host, root: string, event: HookEvent): Promise<boolean> =>
  (await openFor(host, root, event)).some(({ spawn }) => spawn !== null)

/**
 * Looks at all prompts that may belong to the agent. Ignores prompts for agents of another type. If all remaining
 * prompts name the same spawn, returns this spawn. Otherwise returns undefined.
 */
export const spawnOfGivenPrompt = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<string | undefined> => {
  const all = await openFor(host, root, event)
  const fitting = new Set(all.filter((each) => isOfType(each, event)).map(({ spawn }) => spawn))
  return (fitting.size === 1 && [...fitting][0]) || undefined
}

/** Records which agent got a prompt, so that CLEO does not assign the prompt to a second agent. */
export const assignGivenPrompt = async (
  host: Host,
  root: string,
  event: HookEvent,
  spawn: string | null,
): Promise<void> => {
  const found = (await openFor(host, root, event)).find(
    (each) => each.spawn === spawn && (spawn !== null || isOfType(each, event)),
  )
  if (!found || found.agent !== undefined) return
  const settled: GivenPrompt = { spawn, type: found.type, agent: event.agent! }
  await host.files.put(found.path, JSON.stringify(settled), 0o600)
}
