import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { isSame, type Written } from './merged.ts'

/** What a set-up changed in one file. */
export interface FileRecord {
  /** The hash of the file before the first set-up; undefined if there was no file. */
  original?: string
  /** The hash of the file as CLEO last wrote it. */
  written: string
  /**
   * Set if the user changed the file between two set-ups. Undo then only removes CLEO's entries and does not restore
   * the original file.
   */
  edited?: true
  /**
   * The folders that were made for the file, outermost first. Paths inside the project or home folder may be relative
   * to it.
   */
  folders: string[]
  entries: { clients: AgentClient[]; entry: Written }[]
}

export interface SetupRecord {
  /** File records by path, relative to the project or to the home folder. */
  files: Record<string, FileRecord>
  /** When each client was set up. */
  clients: Partial<Record<AgentClient, number>>
}

/** Returns the folder for records and originals. `folder` is a state folder of a project or of the user. */
export const recordsIn = (folder: string): string => `${folder}/clients`

const fileOf = (folder: string): string => `${folder}/setup.json`

export const readRecord = (host: Host, folder: string): SetupRecord => {
  const text = host.files.read(fileOf(folder))
  try {
    const { files, clients } = JSON.parse(text ?? '{}') as Partial<SetupRecord>
    return { files: files ?? {}, clients: clients ?? {} }
  } catch {
    // A damaged record must not stop a set-up. The user then has to remove the recorded entries by hand.
    return { files: {}, clients: {} }
  }
}

export const writeRecord = (host: Host, folder: string, record: SetupRecord): void =>
  host.files.replace(fileOf(folder), `${JSON.stringify(record, null, 1)}\n`, 0o600)

/**
 * Stores the text that a file had before the first set-up, outside the repository, in a file named by the text's hash.
 */
export const keepOriginal = (host: Host, folder: string, text: string): string => {
  const hash = sha256(text)
  host.files.makeFolder(`${folder}/originals`, 0o700)
  host.files.writeNew(`${folder}/originals/${hash}`, text, 0o600)
  return hash
}

/** Returns a kept original; undefined if it is gone or was changed. */
export const originalText = (host: Host, folder: string, hash: string): string | undefined => {
  const text = host.files.read(`${folder}/originals/${hash}`)
  return text !== undefined && sha256(text) === hash ? text : undefined
}

/**
 * Returns the entries that earlier set-ups wrote into a file. If `client` is given, returns only entries that belong
 * to this client alone.
 */
export const recordedEntries = (record: SetupRecord, path: string, client?: AgentClient): Written[] =>
  (record.files[path]?.entries ?? []).flatMap(({ clients, entry }) =>
    client === undefined || (clients.length === 1 && clients[0] === client) ? [entry] : [],
  )

/** Replaces the recorded entries of a client in a file. Entries that other clients share are kept. */
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
