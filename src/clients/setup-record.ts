import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { isObject, type JsonObject } from '../kernel/json-object.ts'
import { fileAt } from './file-state.ts'
import { isSame, type Written } from './merged.ts'

export interface FileRecord {
  /** The hash of the file before the first set-up; undefined if there was no file. */
  original?: string
  /** The hash of the file as CLEO last wrote it. */
  written: string
  /**
   * Set if the user changed the file between two set-ups. In that case undo only removes CLEO's entries and does not
   * restore the original file.
   */
  edited?: true
  /**
   * The folders that were made for the file, outermost first. A relative path starts in the project or, in a set-up
   * for all projects, in the home folder.
   */
  folders: string[]
  entries: { clients: AgentClient[]; entry: Written }[]
}

export interface SetupRecord {
  /**
   * One record for each file. The key is the file's path with links resolved. The path is relative to the project or,
   * in a set-up for all projects, to the home folder.
   */
  files: Record<string, FileRecord>
  /** When each client was set up. */
  clients: Partial<Record<AgentClient, number>>
}

/** `folder` is a state folder of a project or of the user. */
export const recordsIn = (folder: string): string => `${folder}/clients`

const fileOf = (folder: string): string => `${folder}/setup.json`

/**
 * A damaged record counts as missing, because it must not stop a set-up. Without a record, an undo removes the entries
 * that it recognises in the files.
 */
export const readRecord = (host: Host, folder: string): SetupRecord => {
  const { files, clients } = parsed(host.files.read(fileOf(folder)) ?? '{}')
  return {
    files: entriesOf(files, isFileRecord),
    clients: entriesOf(clients, (at): at is number => typeof at === 'number'),
  }
}

const parsed = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const entriesOf = <T>(value: unknown, isValid: (each: unknown) => each is T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, T] => isValid(entry[1])),
  )

const isFileRecord = (value: unknown): value is FileRecord => {
  if (!isObject(value) || typeof value['written'] !== 'string') return false
  const { folders, entries } = value
  return (
    Array.isArray(folders) &&
    folders.every((each) => typeof each === 'string') &&
    Array.isArray(entries) &&
    entries.every((each) => isObject(each) && Array.isArray(each['clients']) && isObject(each['entry']))
  )
}

/**
 * Reads the record for a set-up or an undo. Since the last set-up, the user can have replaced a recorded file by a
 * link. For example, CLAUDE.md may now be a link to AGENTS.md. In that case the file's entries move to the file to
 * which the link leads.
 */
export const recordAt = (host: Host, { records, root }: { records: string; root: string }): SetupRecord => {
  const record = readRecord(host, records)
  for (const [path, known] of Object.entries(record.files)) {
    const file = fileAt(host, root, path)
    if (file === path) continue
    delete record.files[path]
    const there = record.files[file]
    record.files[file] = there ? { ...there, entries: joined(there.entries, known.entries) } : known
  }
  return record
}

const joined = (entries: FileRecord['entries'], more: FileRecord['entries']): FileRecord['entries'] => {
  const all = structuredClone(entries)
  for (const { clients, entry } of more) {
    const same = all.find((each) => isSameEntry(each.entry, entry))
    if (same) same.clients = [...new Set([...same.clients, ...clients])]
    else all.push({ clients, entry })
  }
  return all
}

/** Ignores `found` and `ended`, because they describe how the file was before the entry was written. */
export const isSameEntry = (a: Written, b: Written): boolean => identity(a) === identity(b)

const identity = (entry: Written): string => JSON.stringify({ ...entry, found: 0, ended: true })

export const writeRecord = (host: Host, folder: string, record: SetupRecord): void =>
  host.files.replace(fileOf(folder), `${JSON.stringify(record, null, 1)}\n`, 0o600)

/**
 * Stores the text that a file had before the first set-up. `folder` is outside the repository. The name of the stored
 * file is the hash of the text.
 */
export const keepOriginal = (host: Host, folder: string, text: string): string => {
  const hash = sha256(text)
  host.files.makeFolder(`${folder}/originals`, 0o700)
  host.files.writeNew(`${folder}/originals/${hash}`, text, 0o600)
  return hash
}

/** Returns undefined if the text is gone or was changed. */
export const originalText = (host: Host, folder: string, hash: string): string | undefined => {
  const text = host.files.read(`${folder}/originals/${hash}`)
  return text !== undefined && sha256(text) === hash ? text : undefined
}

/** If a client is given, returns only the entries that no other client uses. */
export const recordedEntries = (record: SetupRecord, path: string, client?: AgentClient): Written[] =>
  (record.files[path]?.entries ?? []).flatMap(({ clients, entry }) =>
    client === undefined || (clients.length === 1 && clients[0] === client) ? [entry] : [],
  )

/**
 * In the record of a file, replaces the entries of a client by `written`. An entry that the client shared with others
 * stays recorded for these others.
 */
export const withEntries = (
  entries: FileRecord['entries'],
  client: AgentClient,
  written: readonly Written[],
): FileRecord['entries'] => {
  const others = entries.flatMap(({ clients, entry }) => {
    const left = clients.filter((each) => each !== client)
    return left.length > 0 ? [{ clients: left, entry }] : []
  })
  for (const entry of written) {
    const same = others.find((each) => isSame(each.entry, entry))
    if (same) same.clients.push(client)
    else others.push({ clients: [client], entry })
  }
  return others
}
