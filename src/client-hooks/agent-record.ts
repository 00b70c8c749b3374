import { hookCallFile, stateFolder } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import type { HookEvent } from './hook-event.ts'

/**
 * What is known about one agent of a client, in a file of the user's state folder: a hook runs before every tool call, and
 * reading this file is much faster than asking the store.
 */
export interface AgentRecord {
  /** The spawn that the agent works on; null if it is known to be none. */
  spawn: string | null
  /** Where the agent may write; missing for an agent without a spawn. */
  scope?: WriteScope
}

export interface WriteScope {
  /** What to do about a write elsewhere. */
  otherwise: 'warn' | 'deny'
  /** Files and folders, absolute. */
  allowed: string[]
  /** Declared files, as the task names them: paths and patterns below the root. */
  declared?: string[]
  /** The project and, if the spawn has one, its worktree. */
  root: string
  worktree?: string
}

/** Milliseconds after which a record is made anew and the claim of its spawn is renewed. */
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

/** Whoever acts in a client. */
type Acting = Pick<HookEvent, 'client' | 'agent' | 'session'>

/** The file of whoever acts, in this project: the subagent, else the session. Ids that are no file names have none. */
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

/** A record of an agent without a spawn has only this text, so that its size says everything. */
const noSpawn = '-'

export interface KnownAgent {
  hasSpawn: boolean
  /** Whether the record is old enough to be made anew. */
  isDue: boolean
  /** Reads the record; undefined if another call is just writing it. */
  read(): Promise<AgentRecord | undefined>
}

/** Looks for the record of whoever acts. Only its size and age are read: most calls need no more. */
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
        return JSON.parse((await host.files.head(path!, 1 << 20)) ?? '') as AgentRecord
      } catch {
        return undefined
      }
    },
  }
}

/** `stamp` is the answer of `Files.stamp`. */
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

/** The folder of what sessions hand to their subagents. */
export const handOutsFolder = (host: Host): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/handed`
}

/** The beginning of the names of a session's files. */
const handOutPrefix = (root: string, { client, session = '' }: Acting): string =>
  `${client}-${session}-${hash(root)}-`

/** The file in which a call that starts a subagent is noted. */
export const handOutFile = (host: Host, root: string, event: HookEvent): string | undefined => {
  const folder = handOutsFolder(host)
  const { session = '', toolUse = '' } = event
  return folder && isFileName(session) && isFileName(toolUse)
    ? `${folder}/${handOutPrefix(root, event)}${toolUse}`
    : undefined
}

export const handOutsOf = (host: Host, root: string, event: Acting): string[] => {
  const folder = handOutsFolder(host)
  if (folder === undefined || event.session === undefined || event.agent === undefined) return []
  const prefix = handOutPrefix(root, event)
  return host.files.list(folder).flatMap((name) => (name.startsWith(prefix) ? [`${folder}/${name}`] : []))
}

/** Whether a file was not touched for a day, and touches it then. */
export const isNewDay = async (host: Host, path: string): Promise<boolean> => {
  const stamp = host.files.stamp(path)
  if (stamp !== '' && !isOlder(host, stamp, 24 * 60 * 60_000)) return false
  await host.files.put(path, 'x\n', 0o600)
  return true
}

/** Notes that a client called a hook, at most once a minute. */
export const noteCall = async (host: Host, client: string, event: string): Promise<void> => {
  const path = hookCallFile(host, client)
  if (path === undefined) return
  const stamp = host.files.stamp(path)
  if (stamp === '' || isOlder(host, stamp, recordEvery)) await host.files.put(path, `${event}\n`, 0o600)
}

/**
 * The file in which the call of an MCP tool is noted. There are few such files, each for many calls: a call is looked up
 * within a second, so an older one is no longer needed.
 */
const callFile = (host: Host, toolUse: string): string | undefined => {
  const folder = hooksFolder(host)
  return folder && `${folder}/calls/${hash(toolUse) % 512}`
}

/** Notes which spawn calls a tool of CLEO's MCP server, if any: the server sees only the id of the call. */
export const noteToolCall = async (host: Host, toolUse: string, spawn: string | null): Promise<void> => {
  const path = callFile(host, toolUse)
  if (path !== undefined) await host.files.put(path, JSON.stringify({ toolUse, spawn }), 0o600)
}

/**
 * Returns who made a call of an MCP tool, by the id that Claude gives it (`_meta["claudecode/toolUseId"]`): the spawn,
 * null for an agent without one, undefined if no hook saw the call.
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
