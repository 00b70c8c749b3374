import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import type { Place } from './client-parts.ts'
import { fileState } from './file-state.ts'
import { markdownMarks, mergeBlock } from './merge-block.ts'
import { type JsonWritten, mergeJson } from './merge-json.ts'
import { mergeToml, type TomlWritten } from './merge-toml.ts'
import type { MergeResult, Written } from './merged.ts'
import type { Part } from './part.ts'
import { type PartOfFile, partsByFile } from './parts-by-file.ts'
import { recordedEntries, type SetupRecord } from './setup-record.ts'
import { withEol } from './text-style.ts'

export interface PlannedFile {
  path: string
  /** `path` with links resolved. The record of the set-up lists the file under this path. */
  file: string
  target: string
  before?: string
  after: string
  mode?: number
  written: Written[]
  /** True if the whole file belongs to CLEO. */
  isOwn: boolean
}

export interface ClientPlan {
  client: AgentClient
  files: PlannedFile[]
  agentPath?: string
  /** Entries and files of the user that CLEO keeps instead of writing its own. */
  kept: { path: string; what: string }[]
  /** Why nothing can be written for this client. */
  problems: { path: string; message: string }[]
}

/**
 * Computes every file of a client's set-up. Reads files, but writes none. One command can set up several clients that
 * share a file. If an earlier client changes a file, `planned` maps the file's path to the new text. For such a file,
 * the new text is used instead of the text on the disk.
 */
export const planSetup = async (
  host: Host,
  client: AgentClient,
  place: Place,
  record: SetupRecord,
  planned: ReadonlyMap<string, string> = new Map(),
): Promise<ClientPlan> => {
  const plan: ClientPlan = { client, files: [], kept: [], problems: [] }
  for (const each of await partsByFile(host, client, place)) {
    const { part } = each
    if (part.kind === 'file' && part.path.includes('cleo-subagent.')) plan.agentPath = part.path
    planPart(host, plan, each, { place, record, planned })
  }
  return plan
}

interface Known {
  place: Place
  record: SetupRecord
  planned: ReadonlyMap<string, string>
}

const planPart = (
  host: Host,
  plan: ClientPlan,
  { part, file }: PartOfFile,
  { place, record, planned }: Known,
): void => {
  const state = fileState(host, place.root, part.path)
  if ('why' in state) return void plan.problems.push({ path: part.path, message: state.why })
  const { target, mode } = state
  const before = planned.get(target) ?? state.text
  // Parts of different kinds go into the same file if one path is a link to the other.
  const earlier = plan.files.find((each) => each.target === target)
  const merged = mergePart(part, earlier?.after ?? before, {
    all: recordedEntries(record, file),
    alone: recordedEntries(record, file, plan.client),
    isAsWritten: isAsWritten(record, file, before),
  })
  if (!merged.ok) return void plan.problems.push({ path: part.path, message: merged.why })
  for (const what of merged.kept) plan.kept.push({ path: part.path, what })
  if (earlier) {
    earlier.after = merged.text
    earlier.written.push(...merged.written)
  } else if (part.kind !== 'file' || merged.kept.length === 0)
    plan.files.push({
      path: part.path,
      file,
      target,
      ...(before !== undefined && { before }),
      after: merged.text,
      ...(mode !== undefined && { mode }),
      written: merged.written,
      isOwn: part.kind === 'file',
    })
}

const isAsWritten = (record: SetupRecord, path: string, text: string | undefined): boolean =>
  text !== undefined && record.files[path]?.written === sha256(text)

interface Earlier {
  all: readonly Written[]
  alone: readonly Written[]
  isAsWritten: boolean
}

const mergePart = (
  part: Part,
  current: string | undefined,
  { all, alone, isAsWritten }: Earlier,
): MergeResult => {
  switch (part.kind) {
    case 'file':
      return mergeFile(part.text, current, isAsWritten)
    case 'block':
      return mergeBlock(part.text, current, markdownMarks, 'block', all)
    case 'json':
      return mergeJson(part, current, all.filter(isJson), alone.filter(isJson))
    case 'toml':
      return mergeToml(part, current, all.filter(isToml))
  }
}

const isJson = (each: Written): each is JsonWritten => each.kind === 'json'
const isToml = (each: Written): each is TomlWritten => each.kind === 'toml' || each.kind === 'items'

/**
 * Returns the new text of a whole file. If the existing file is not empty and CLEO did not write it, keeps the
 * existing text.
 */
const mergeFile = (text: string, current: string | undefined, isOurs: boolean): MergeResult => {
  if (current === undefined || current.trim() === '' || isOurs)
    return { ok: true, text, written: [{ kind: 'file' }], kept: [] }
  if (current === text || current === withEol(text, { eol: '\r\n' }))
    return { ok: true, text: current, written: [], kept: [] }
  return { ok: true, text: current, written: [], kept: ['this file'] }
}

export const isChanged = ({ before, after }: PlannedFile): boolean => before !== after
