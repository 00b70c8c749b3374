import type { Host } from '../host/host.ts'
import { hookCallFile, stateFolder } from '../host/user-folders.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'
import type { HookEvent } from './hook-event.ts'

/**
 * Facts about one agent of a client, kept in a file of the user's state folder. A hook runs before every tool call,
 * and reading this file is much faster than opening the store.
 */
export interface AgentRecord {
  /** The spawn that the agent works on; null if the agent is known to have none. */
  spawn: string | null
  /** Where the agent may write; missing for an agent without a spawn. */
  scope?: WriteScope
}

export interface WriteScope {
  /** What CLEO does about a write outside the scope. */
  otherwise: 'warn' | 'deny'
  /** Absolute paths of files and folders to which the agent may write. */
  allowed: string[]
  /** The files that the task declares, as paths and patterns below the root. */
  declared?: string[]
  /** The folder of the project. The worktree of the spawn, if it has one, is in `worktree`. */
  root: string
  worktree?: string
}

/** After this many milliseconds, the next call of a hook renews the agent's record and the claim of its spawn. */
const recordEvery = 60_000

const hooksFolder = (host: Host): string | undefined => {
  const folder = stateFolder(host)
  return folder && `${folder}/hooks`
}

export const logFile = (host: Host): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/errors.log`
}

export const recordsFolder = (host: Host): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/agents`
}

/** The agent that causes a hook call: a subagent or, if `agent` is missing, the session itself. */
type Acting = Pick<HookEvent, 'client' | 'agent' | 'session'>

/**
 * Returns the record file of the acting subagent or session in this project; undefined if its id cannot be a file
 * name.
 */
const recordFile = (host: Host, root: string, { client, agent, session }: Acting): string | undefined => {
  const folder = recordsFolder(host)
  const id = agent ?? session
  return folder && id !== undefined && isFileName(id) ? `${folder}/${client}-${id}-${hash(root)}` : undefined
}

const hash = (text: string): number => {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0
  return sum >>> 0
}

const isFileName = (id: string): boolean => {
  if (id.length > 100) return false
  for (const char of id) if (!isPlain(char)) return false
  return id !== ''
}
const isPlain = (char: string): boolean =>
  (char >= 'a' && char <= 'z') ||
  (char >= 'A' && char <= 'Z') ||
  (char >= '0' && char <= '9') ||
  char === '-' ||
  char === '_'

/**
 * The whole content of the record of an agent without a spawn. It is one character, so that the size of the file
 * alone identifies such a record.
 */
const noSpawn = '-'

export interface KnownAgent {
  hasSpawn: boolean
  /** True if the record is so old that it must be renewed. */
  isDue: boolean
  /**
   * Returns undefined if another call is writing the record now, or if the record is about an earlier spawn of this
   * session.
   */
  read(): Promise<AgentRecord | undefined>
}

/**
 * Looks for the record of the calling agent. Reads only the size and age of the record's file, because most calls
 * need nothing else.
 */
export const knownAgent = (host: Host, root: string, event: Acting): KnownAgent | undefined => {
  const path = recordFile(host, root, event)
  const stamp = path === undefined ? '' : host.files.stamp(path)
  if (stamp === '') return undefined
  const hasSpawn = !stamp.startsWith('1 ')
  return {
    hasSpawn,
    isDue: isOlder(host, stamp, recordEvery),
    read: async () => {
      if (!hasSpawn) return { spawn: null }
      try {
        const record = JSON.parse((await host.files.head(path!, 1 << 20)) ?? '') as AgentRecord
        return isOfEarlierSpawn(host, record) ? undefined : record
      } catch {
        return undefined
      }
    },
  }
}

/** A run can use the same session for several attempts at a task. */
const isOfEarlierSpawn = ({ env }: Host, { spawn }: AgentRecord): boolean => {
  const named = canonicalSpawnId(env['CLEO_AGENT_ID'] ?? '')
  return named !== undefined && named !== spawn
}

/** `stamp` is what `Files.stamp` returned for the file. */
const isOlder = (host: Host, stamp: string, ms: number): boolean => {
  const changed = Number(stamp.slice(stamp.indexOf(' ') + 1))
  const age = host.now() - changed
  return age > ms || age < -ms
}

export const writeRecord = async (
  host: Host,
  root: string,
  event: HookEvent,
  record: AgentRecord,
): Promise<void> => {
  const path = recordFile(host, root, event)
  const text = record.spawn === null ? noSpawn : JSON.stringify(record)
  if (path !== undefined) await host.files.put(path, text, 0o600)
}

/** The folder with records of the prompts that sessions gave to subagents. */
export const givenPromptsFolder = (host: Host): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/handed`
}

const givenPromptPrefix = (root: string, { client, session = '' }: Acting): string =>
  `${client}-${session}-${hash(root)}-`

/**
 * The file is named after the id of the call that starts the subagent. Calls of Gemini have no id, so their files are
 * named after a hash of the prompt.
 */
export const givenPromptFile = (
  host: Host,
  root: string,
  event: HookEvent,
  prompt: string,
): string | undefined => {
  const folder = givenPromptsFolder(host)
  const { session = '', toolUse = `${hash(prompt)}` } = event
  return folder && isFileName(session) && isFileName(toolUse)
    ? `${folder}/${givenPromptPrefix(root, event)}${toolUse}`
    : undefined
}

/**
 * Returns the record file of each prompt that a session gave to a subagent, with the id of the call that gave the
 * prompt.
 */
export const givenPromptsOf = (host: Host, root: string, event: Acting): { path: string; call: string }[] => {
  const folder = givenPromptsFolder(host)
  if (folder === undefined || event.session === undefined) return []
  const prefix = givenPromptPrefix(root, event)
  return host.files
    .list(folder)
    .flatMap((name) =>
      name.startsWith(prefix) ? [{ path: `${folder}/${name}`, call: name.slice(prefix.length) }] : [],
    )
}

/** If a file is missing or was not touched for a day, touches the file and returns true. */
export const isNewDay = async (host: Host, path: string): Promise<boolean> => {
  const stamp = host.files.stamp(path)
  if (stamp !== '' && !isOlder(host, stamp, 24 * 60 * 60_000)) return false
  await host.files.put(path, 'x\n', 0o600)
  return true
}

/** Records that a client called a hook. Does this at most once a minute. */
export const noteCall = async (host: Host, client: string, event: string): Promise<void> => {
  const path = hookCallFile(host, client)
  if (path === undefined) return
  const stamp = host.files.stamp(path)
  if (stamp === '' || isOlder(host, stamp, recordEvery)) await host.files.put(path, `${event}\n`, 0o600)
}

/**
 * Returns the file that records a call of an MCP tool. All calls share 512 files, so a later call can overwrite the
 * record of an earlier call. This does no harm, because the MCP server reads each record within a second.
 */
const callFile = (host: Host, toolUse: string): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/calls/${hash(toolUse) % 512}`
}

/**
 * Records the spawn that calls a tool of CLEO's MCP server; null for an agent without a spawn. The hook must record
 * the spawn, because the server sees only the id of the call.
 */
export const noteToolCall = async (host: Host, toolUse: string, spawn: string | null): Promise<void> => {
  const path = callFile(host, toolUse)
  if (path !== undefined) await host.files.put(path, JSON.stringify({ toolUse, spawn }), 0o600)
}

/**
 * Returns the spawn that called an MCP tool. Returns null if the caller has no spawn, and undefined if no hook saw
 * the call. `toolUse` is the id that Claude gives to the call (`_meta["claudecode/toolUseId"]`).
 */
export const spawnOfToolCall = async (host: Host, toolUse: string): Promise<string | null | undefined> => {
  const path = callFile(host, toolUse)
  if (path === undefined || host.files.sizeSeen(path) === 0) return undefined
  try {
    const noted = JSON.parse((await host.files.head(path, 4096)) ?? '') as {
      toolUse: string
      spawn: string | null
    }
    return noted.toolUse === toolUse ? noted.spawn : undefined
  } catch {
    return undefined
  }
}
