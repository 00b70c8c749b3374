import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import { type AgentClient, clientNames } from '../kernel/client-names.ts'
import type { Place } from './client-parts.ts'
import { fileState } from './file-state.ts'
import { hasBlock, markdownMarks } from './merge-block.ts'
import { findJson } from './merge-json.ts'
import { findToml } from './merge-toml.ts'
import type { Written } from './merged.ts'
import { type PartOfFile, partsByFile } from './parts-by-file.ts'
import { type FileRecord, isSameEntry, type SetupRecord, withEntries } from './setup-record.ts'
import { withEol } from './text-style.ts'

/**
 * Adds set-ups that are in the clients' files but not in the record. The record lacks a set-up if the files came with a
 * clone or if the record was lost. A client counts as set up if a file that only this client uses has an entry of
 * CLEO. The original text of the files is not known, so undo only removes CLEO's entries, and deletes files that
 * contain nothing else.
 */
export const withRecognised = async (
  host: Host,
  place: Place,
  record: SetupRecord,
): Promise<{ record: SetupRecord; found: AgentClient[] }> => {
  const parts = new Map<AgentClient, PartOfFile[]>()
  for (const client of clientNames) parts.set(client, await partsByFile(host, client, place))
  const users = Map.groupBy(
    [...parts].flatMap(([client, all]) =>
      [...new Set(all.map(({ file }) => file))].map((file) => ({ client, file })),
    ),
    ({ file }) => file,
  )
  const completed = structuredClone(record)
  const found: AgentClient[] = []
  for (const [client, all] of parts) {
    if (record.clients[client] !== undefined) continue
    const seen = all.flatMap((each) => seenIn(host, place, each) ?? [])
    if (!seen.some(({ file, isCertain }) => isCertain && users.get(file)!.length === 1)) continue
    found.push(client)
    completed.clients[client] = host.now()
    for (const { file, text, isWhole, entries } of seen) {
      if (entries.length === 0) continue
      const known = completed.files[file] ?? recordOf(place, file, text, isWhole)
      completed.files[file] = { ...known, entries: addEntries(known.entries, client, entries) }
    }
  }
  return { record: completed, found }
}

interface Seen {
  file: string
  text: string
  entries: Written[]
  /** True if the text of the file is exactly the text that CLEO writes. */
  isWhole: boolean
  /** True if one of the entries certainly belongs to CLEO: a marked block, a hook, the server, or a whole file. */
  isCertain: boolean
}

const seenIn = (host: Host, { root }: Place, { part, file }: PartOfFile): Seen | undefined => {
  const state = fileState(host, root, part.path)
  if ('why' in state || state.text === undefined) return undefined
  const { text } = state
  const seen = (entries: Written[], isCertain: boolean, isWhole = false): Seen => ({
    file,
    text,
    entries,
    isWhole,
    isCertain,
  })
  switch (part.kind) {
    case 'file': {
      const isWhole = [part.text, withEol(part.text, { eol: '\r\n' })].includes(text)
      return seen([{ kind: 'file' }], isWhole, isWhole)
    }
    case 'block': {
      const isThere = hasBlock(text, markdownMarks)
      return seen(isThere ? [{ kind: 'block' }] : [], isThere)
    }
    case 'json': {
      const { entries, isCertain } = findJson(part, text)
      return seen(entries, isCertain)
    }
    case 'toml': {
      const entries = findToml(part, text)
      return seen(
        entries,
        entries.some(({ kind }) => kind === 'toml'),
      )
    }
  }
}

const recordOf = ({ root }: Place, path: string, text: string, isWhole: boolean): FileRecord => ({
  written: sha256(text),
  // Undo deletes a file that belongs to CLEO alone. From any other file it removes only CLEO's entries, because the
  // state before the set-up is not known.
  ...(!isWhole && { edited: true as const }),
  folders: path
    .split('/')
    .slice(0, -1)
    .map((_, i, all) => `${root}/${all.slice(0, i + 1).join('/')}`),
  entries: [],
})

/** If an entry is already recorded for another client, adds `client` to that record. */
const addEntries = (
  known: FileRecord['entries'],
  client: AgentClient,
  entries: readonly Written[],
): FileRecord['entries'] => {
  const same = entries.map((entry) => known.find((each) => isSameEntry(each.entry, entry))?.entry ?? entry)
  return withEntries(known, client, same)
}
