import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Applied, type Change, removeFolders, writeAll } from './apply.ts'
import { fileState } from './file-state.ts'
import { markdownMarks, removeBlock } from './merge-block.ts'
import { type JsonWritten, removeJson } from './merge-json.ts'
import { removeToml, type TomlWritten } from './merge-toml.ts'
import type { Written } from './merged.ts'
import { type FileRecord, originalText, type SetupRecord, withEntries, writeRecord } from './setup-record.ts'
import { withoutMark } from './text-style.ts'

export interface UndoneFile extends Change {
  path: string
  how: 'restored' | 'deleted' | 'entries removed' | 'unchanged'
}

export interface UndoPlan {
  files: UndoneFile[]
  /** Entries that the user changed. They are kept. */
  kept: { path: string; what: string }[]
  problems: { path: string; message: string }[]
  /** The record after the undo. */
  record: SetupRecord
  /** Folders to remove if they are empty, outermost first. `removeFolders` starts at the end of the list. */
  folders: string[]
}

/**
 * If a file was not edited since CLEO wrote it, and no other client needs its entries, the file gets its old bytes back
 * or is deleted. From any other file, only the entries of `clients` are removed.
 */
export const planUndo = (
  host: Host,
  clients: readonly AgentClient[],
  { folder, record, root }: { folder: string; record: SetupRecord; root: string },
): UndoPlan => {
  const plan: UndoPlan = { files: [], kept: [], problems: [], folders: [], record: structuredClone(record) }
  for (const client of clients) delete plan.record.clients[client]
  for (const [path, known] of Object.entries(record.files)) {
    const entries = clients.reduce((left, client) => withEntries(left, client, []), known.entries)
    if (isUntouched(known, entries)) continue
    const state = fileState(host, root, path)
    if ('why' in state) {
      plan.problems.push({ path, message: state.why })
      continue
    }
    const { target, text: before, mode } = state
    const { after, how, kept } = undone(host, folder, known, entries, before)
    for (const what of kept) plan.kept.push({ path, what })
    // Also remove the folders if the file is missing: either an earlier undo was killed, or the user deleted the
    // file.
    if (how === 'deleted' || before === undefined)
      plan.folders.push(...known.folders.map((each) => resolvePath(root, each)))
    plan.files.push({
      path,
      target,
      how,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(mode !== undefined && { mode }),
    })
    if (entries.length === 0 || after === undefined) delete plan.record.files[path]
    else plan.record.files[path] = stillShared(known, entries, before, after)
  }
  return plan
}

const isUntouched = (known: FileRecord, left: FileRecord['entries']): boolean =>
  left.length === known.entries.length &&
  left.every(({ clients }, i) => clients.length === known.entries[i]!.clients.length)

const stillShared = (
  known: FileRecord,
  entries: FileRecord['entries'],
  before: string | undefined,
  after: string,
): FileRecord => ({
  ...known,
  entries,
  written: sha256(after),
  ...((known.edited || (before !== undefined && sha256(before) !== known.written)) && {
    edited: true as const,
  }),
})

const undone = (
  host: Host,
  folder: string,
  known: FileRecord,
  left: FileRecord['entries'],
  before: string | undefined,
): { after?: string; how: UndoneFile['how']; kept: string[] } => {
  if (before === undefined) return { how: 'unchanged', kept: [] }
  if (known.original !== undefined && sha256(before) === known.original)
    return { after: before, how: 'unchanged', kept: [] }
  const isAsWritten = sha256(before) === known.written && !known.edited
  if (left.length === 0 && isAsWritten) {
    if (known.original === undefined) return { how: 'deleted', kept: [] }
    const text = originalText(host, folder, known.original)
    if (text !== undefined) return { after: text, how: 'restored', kept: [] }
  }
  const gone = known.entries
    .map(({ entry }) => entry)
    .filter((entry) => !left.some((each) => each.entry === entry))
  const { text, kept } = withoutEntries(before, gone)
  if (left.length === 0 && known.original === undefined && isNothing(text)) return { how: 'deleted', kept }
  return { after: text, how: text === before ? 'unchanged' : 'entries removed', kept }
}

const withoutEntries = (before: string, entries: readonly Written[]): { text: string; kept: string[] } => {
  let text = before
  const kept: string[] = []
  const take = (removed: { text: string; kept: string[] }) => {
    text = removed.text
    kept.push(...removed.kept)
  }
  const json = entries.filter((each): each is JsonWritten => each.kind === 'json')
  const toml = entries.filter((each): each is TomlWritten => each.kind === 'toml' || each.kind === 'items')
  if (json.length > 0) take(removeJson(text, json))
  if (toml.length > 0) take(removeToml(text, toml))
  const block = entries.find((each) => each.kind === 'block')
  if (block) take(removeBlock(text, markdownMarks, block.ended))
  if (entries.some(({ kind }) => kind === 'file')) kept.push('this file')
  return { text, kept }
}

const isNothing = (text: string): boolean => ['', '{}'].includes(withoutMark(text).trim())

export const applyUndo = (host: Host, folder: string, plan: UndoPlan): Applied => {
  const done = writeAll(
    host,
    plan.files.filter(({ before, after }) => before !== after),
  )
  if (!done.ok) return done
  removeFolders(plan.folders)
  writeRecord(host, folder, plan.record)
  return done
}
