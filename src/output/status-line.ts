import type { Protocol } from '../kernel/protocol.ts'
import type { Project } from '../operation/context.ts'
import { relative } from './output-file.ts'
import { draft, formOf } from './template.ts'
import type { WorkFolders } from './work-folders.ts'

const maxBytes = 4 * 1024 * 1024

export interface FinishedOutput {
  path: string
  status: 'complete' | 'partial' | 'blocked'
  protocol: Protocol
}

/**
 * Replaces `Status: draft` in an output file with the status of its entry. A specification has other statuses, which its
 * author sets.
 */
export const writeStatus = async (
  { host, dryRun }: Project,
  folders: WorkFolders,
  { path, status, protocol }: FinishedOutput,
): Promise<void> => {
  const { statuses } = formOf(protocol)
  if (dryRun || !path.endsWith('.md') || statuses.includes(draft)) return
  const read = await host.files.readInside(folders.work, relative(folders.work, path), maxBytes)
  const text = read.ok ? withStatus(read.text, status, [...statuses, draft]) : undefined
  if (text !== undefined) host.files.replace(path, text, 0o644)
}

/** Looks only above the first section. Does not change a status that CLEO does not know. */
const withStatus = (text: string, status: string, known: readonly string[]): string | undefined => {
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('## ')) return undefined
    const [, before, value, after] = /^([\s>*-]*Status[\s*]*:[\s*]*)(\w+)([\s*]*)$/i.exec(line) ?? []
    if (value === undefined) continue
    if (value === status || !known.includes(value.toLowerCase())) return undefined
    lines[i] = `${before}${status}${after}`
    return lines.join('\n')
  }
  return undefined
}
