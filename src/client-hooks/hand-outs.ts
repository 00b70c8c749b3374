import type { Host } from '../host/host.ts'
import { handOutFile, handOutsOf } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { spawnOfPrompt } from './transcript.ts'

/** One call of the tool that starts a subagent. The client does not say which agent comes of it. */
interface HandOut {
  /** The spawn that the prompt names; null if it names none. */
  spawn: string | null
  type: string
  /** The agent that turned out to have got the prompt. */
  agent?: string
}

/** What Claude starts if no type is given. */
const defaultType = 'general-purpose'

/** Remembers which prompt a session hands to a subagent: the agent's own conversation may be written too late. */
export const noteHandOut = async (host: Host, root: string, event: HookEvent): Promise<void> => {
  const { prompt, subagent_type: type } = event.input
  const path = handOutFile(host, root, event)
  if (path === undefined || typeof prompt !== 'string') return
  const noted: HandOut = {
    spawn: spawnOfPrompt([prompt], true) ?? null,
    type: typeof type === 'string' ? type : defaultType,
  }
  await host.files.put(path, JSON.stringify(noted), 0o600)
}

interface Noted extends HandOut {
  path: string
}

/** The hand-outs of the session that are this agent's, or could be. */
const openFor = async (host: Host, root: string, event: HookEvent): Promise<Noted[]> => {
  const found: Noted[] = []
  for (const path of handOutsOf(host, root, event)) {
    const noted = parsed(await host.files.head(path, 4096))
    if (noted?.agent === event.agent) return [{ ...noted!, path }]
    if (noted && noted.agent === undefined) found.push({ ...noted, path })
  }
  return found
}

const parsed = (text: string | undefined): HandOut | undefined => {
  try {
    return JSON.parse(text ?? '') as HandOut
  } catch {
    // Another call is just writing it.
    return undefined
  }
}

const isOfType = ({ type }: HandOut, { agentType = type }: HookEvent): boolean => type === agentType

/** Whether a spawn of the session was handed out, and it is not known to whom. */
export const isSpawnOpen = async (host: Host, root: string, event: HookEvent): Promise<boolean> =>
  (await openFor(host, root, event)).some(({ spawn }) => spawn !== null)

/** The spawn that the agent must have been given, because its session handed out no other prompt to its type. */
export const spawnHandedOut = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<string | undefined> => {
  const all = await openFor(host, root, event)
  const fitting = new Set(all.filter((each) => isOfType(each, event)).map(({ spawn }) => spawn))
  return (fitting.size === 1 && [...fitting][0]) || undefined
}

/** Notes which agent got a prompt, so that it is no longer open for others. */
export const settleHandOut = async (
  host: Host,
  root: string,
  event: HookEvent,
  spawn: string | null,
): Promise<void> => {
  const found = (await openFor(host, root, event)).find(
    (each) => each.spawn === spawn && (spawn !== null || isOfType(each, event)),
  )
  if (!found || found.agent !== undefined) return
  const settled: HandOut = { spawn, type: found.type, agent: event.agent! }
  await host.files.put(found.path, JSON.stringify(settled), 0o600)
}
