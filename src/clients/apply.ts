import type { Host } from '../host/host.ts'
import { removeEmptyFolder, removeFile } from '../host/permissions.ts'
import { sha256 } from '../host/sha256.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { isBelow } from '../kernel/path.ts'
import { Refused } from '../kernel/result.ts'
import { type ClientPlan, isChanged, type PlannedFile } from './plan.ts'
import { type FileRecord, keepOriginal, type SetupRecord, withEntries, writeRecord } from './setup-record.ts'

export interface Change {
  target: string
  before?: string
  /** Undefined if the file is to be deleted. */
  after?: string
  mode?: number
}

export type Applied = { ok: true } | { ok: false; path: string; why: string }

/**
 * Writes all files of a client's set-up, or none of them. Writes the record first, so that undo finds the written
 * files even if CLEO crashes before it has written all of them.
 */
export const applyPlan = (
  host: Host,
  plan: ClientPlan,
  { folder, record, root }: { folder: string; record: SetupRecord; root: string },
): Applied => {
  const files = plan.files.filter((file) => isChanged(file) || file.written.length > 0)
  for (const file of files) {
    const known = record.files[file.file]
    record.files[file.file] = recordOf(host, folder, { file, known, client: plan.client, root })
  }
  if (files.length > 0) record.clients[plan.client] ??= host.now()
  writeRecord(host, folder, record)
  return writeAll(host, files.filter(isChanged))
}

const recordOf = (
  host: Host,
  folder: string,
  {
    file,
    known,
    client,
    root,
  }: { file: PlannedFile; known: FileRecord | undefined; client: AgentClient; root: string },
): FileRecord => {
  const { before, after, written } = file
  const wasEdited = known && (known.edited || (before !== undefined && sha256(before) !== known.written))
  const original = known
    ? known.original
    : before === undefined
      ? undefined
      : keepOriginal(host, folder, before)
  return {
    ...(original && { original }),
    written: sha256(after),
    ...(wasEdited && { edited: true as const }),
    folders: known?.folders ?? missingFolders(host, root, file.target),
    entries: withEntries(known?.entries ?? [], client, written),
  }
}

/**
 * Returns the missing folders above a file, outermost first. The paths are relative to the project, because the
 * project's folder can be moved before an undo.
 */
const missingFolders = (host: Host, root: string, target: string): string[] => {
  const base = host.files.realPath(root)
  return missingAbove(host, target)
    .filter((folder) => folder.length > root.length)
    .map((each) => (isBelow(base, each) ? each.slice(base.length + 1) : each))
}

const missingAbove = ({ files }: Host, target: string): string[] => {
  const missing: string[] = []
  let folder = target.slice(0, target.lastIndexOf('/'))
  while (folder !== '' && files.kind(folder) === undefined) {
    missing.unshift(folder)
    folder = folder.slice(0, folder.lastIndexOf('/'))
  }
  return missing
}

/**
 * Writes or deletes files. If one of them cannot be written, or was changed since it was read, restores the old text of
 * the files that were already written, and removes the folders that were made for them.
 */
export const writeAll = (host: Host, changes: readonly Change[]): Applied => {
  const done: Change[] = []
  const made: string[] = []
  for (const change of changes) {
    try {
      const now = host.files.read(change.target)
      if (now !== change.before) throw new Error('was changed by another program meanwhile')
      made.push(...missingAbove(host, change.target))
      write(host, change.target, change.after, change.mode)
      done.push(change)
    } catch (error) {
      for (const { target, before, mode } of done.toReversed()) write(host, target, before, mode)
      removeFolders(made)
      return { ok: false, path: change.target, why: whyNot(error, change.target) }
    }
  }
  return { ok: true }
}

/** Returns why a file could not be written. The text continues a sentence that begins with the file's path. */
const whyNot = (error: unknown, target: string): string => {
  if (!(error instanceof Refused)) return (error as Error).message
  const message = error.failure.message.replace(/\.$/, '')
  const start = `Cannot write ${target}: `
  return message.startsWith(start) ? `cannot be written: ${message.slice(start.length)}` : message
}

const write = ({ files }: Host, target: string, text: string | undefined, mode = 0o644): void => {
  if (text === undefined) return removeFile(target)
  files.makeFolder(target.slice(0, target.lastIndexOf('/')), 0o777)
  files.replace(target, text, mode)
}

export const removeFolders = (folders: readonly string[]): void => {
  for (const folder of folders.toReversed()) removeEmptyFolder(folder)
}
