import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { Host } from '../host/host.ts'
import { modeOf } from '../host/permissions.ts'
import { isOwnFolder } from '../host/secret-names.ts'
import { isBelow, normalPath } from '../kernel/path.ts'
import type { AcpPolicy } from './acp-policy.ts'

const mostBytes = 16 * 1024 * 1024

/** Reads a file in the agent's folder, or in another folder that the agent may read. Refuses to read secrets. */
export const readFileFor = async (
  { files }: Host,
  { folder, readable }: AcpPolicy,
  { path, line, limit }: ReadTextFileRequest,
): Promise<ReadTextFileResponse> => {
  const plain = normalPath(path)
  // `readInside` refuses a relative path that contains `.cleo`. The prompts are in the readable folder `.cleo/spawns`,
  // which can be below the agent's folder. So try the readable folders first: relative to `.cleo/spawns`, the path of
  // a prompt contains no `.cleo`.
  const from = [...readable, folder].find((each) => isBelow(each, plain))
  if (from === undefined) throw outside(path)
  const read = await files.readInside(files.realPath(from), plain.slice(from.length + 1), mostBytes)
  if (!read.ok) {
    if (read.missing) throw RequestError.resourceNotFound(path)
    throw RequestError.invalidParams({ path }, `${path} ${read.why}`)
  }
  if (line == null && limit == null) return { content: read.text }
  const start = Math.max(0, (line ?? 1) - 1)
  const lines = read.text.split('\n')
  return { content: lines.slice(start, limit == null ? undefined : start + limit).join('\n') }
}

/** Writes a file in the agent's folder. Refuses files of git and of CLEO. */
export const writeFileFor = async (
  { files }: Host,
  { folder }: AcpPolicy,
  { path, content }: WriteTextFileRequest,
): Promise<WriteTextFileResponse> => {
  const plain = normalPath(path)
  if (!isBelow(folder, plain)) throw outside(path)
  const parts = plain.slice(folder.length + 1).split('/')
  if (parts.some(isOwnFolder))
    throw RequestError.invalidParams({ path }, `${path} belongs to git or CLEO; an agent must not write it`)
  const parent = plain.slice(0, plain.lastIndexOf('/'))
  // Check where the nearest existing folder really is, because a link in the path could lead out of the agent's
  // folder.
  if (!`${files.realPath(existing(files, parent))}/`.startsWith(`${files.realPath(folder)}/`))
    throw outside(path)
  files.replace(plain, content, modeOf(plain) ?? 0o644)
  return {}
}

const existing = (files: Host['files'], folder: string): string => {
  let at = folder
  while (at !== '' && files.kind(at) === undefined) at = at.slice(0, at.lastIndexOf('/'))
  return at
}

const outside = (path: string): RequestError =>
  RequestError.invalidParams({ path }, `${path} is outside the folder of this agent`)
